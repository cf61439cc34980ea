import Doctor
import DoctorProbes
import PushQueue
import RedisClient
import RedisQueue

/// Asks Redis or Valkey about itself, and the queue in it about its backlog.
struct RedisProbe: QueueProbing {
    let url: String

    func evidence(within limit: Duration) async throws -> QueueEvidence {
        var address: RedisQueueAddress
        do throws(QueueError) {
            address = try RedisQueueAddress(url: url)
        } catch {
            return QueueEvidence(engine: .redis, address: "the given URL", failure: error.detail)
        }
        address.server.connectTimeout = limit
        address.server.requestTimeout = limit
        let hosts = address.server.addresses.map(\.description).joined(separator: ", ")
        var evidence = QueueEvidence(engine: .redis, address: "\(hosts)/\(address.server.database)")
        do throws(RedisError) {
            try await RedisProbe.ask(address.server, &evidence)
        } catch {
            return QueueEvidence(engine: .redis, address: evidence.address, failure: error.detail)
        }
        do throws(QueueError) {
            evidence.backlog = await QueueBacklog.observation(of: try RedisQueue(address)) { queue throws(QueueError) in
                try await queue.checkUse()
            }
        } catch {
            evidence.backlog = .unseen(error.detail)
        }
        return evidence
    }

    private static func ask(
        _ server: RedisConfiguration, _ evidence: inout QueueEvidence
    ) async throws(RedisError) {
        let client = try RedisClient(server)
        let answers: [RedisValue]
        do throws(RedisError) {
            answers = try await client.send([
                RedisCommand("INFO"), RedisCommand("CONFIG", "GET", "appendfsync"),
                RedisCommand("CONFIG", "GET", "save"),
            ])
        } catch {
            await client.close()
            throw error
        }
        await client.close()
        guard let info = try answers[0].get().string else {
            throw RedisError(.notRedis, "it answered INFO with something else than text")
        }
        evidence.read(redisInfo: info, appendfsync: setting(answers[1]), save: setting(answers[2]))
    }

    /// The value of a setting; nil where the user may not ask.
    private static func setting(_ answer: RedisValue) -> String? {
        guard let pair = answer.array, pair.count == 2 else { return nil }
        return pair[1].string
    }
}
