import Doctor
import DoctorProbes
import PostgresClient
import PostgresQueue
import PushQueue

/// Asks PostgreSQL about itself, and the queue in it about its backlog.
struct PostgresProbe: QueueProbing {
    let url: String
    /// The variables that libpq reads.
    let environment: [String: String]

    func evidence(within limit: Duration) async throws -> QueueEvidence {
        var configuration: PostgresConfiguration
        do throws(PostgresError) {
            configuration = try PostgresConfiguration(url: url, environment: environment)
        } catch {
            return QueueEvidence(engine: .postgresql, address: "the given URL", failure: error.detail)
        }
        configuration.connectTimeout = limit
        configuration.requestTimeout = limit
        var evidence = QueueEvidence(engine: .postgresql, address: configuration.place)
        let client = PostgresClient(configuration)
        do throws(PostgresError) {
            PostgresProbe.read(try await client.run(PostgresProbe.question), &evidence)
        } catch {
            await client.close()
            return QueueEvidence(engine: .postgresql, address: evidence.address, failure: error.detail)
        }
        await client.close()
        do throws(QueueError) {
            evidence.backlog = await QueueBacklog.observation(
                of: try PostgresQueue(url: url, environment: environment)
            ) { queue throws(QueueError) in
                // It makes no tables.
                try await queue.prepare([])
            }
        } catch {
            evidence.backlog = .unseen(error.detail)
        }
        return evidence
    }

    /// In the order of the columns.
    private static let settings = ["fsync", "full_page_writes", "synchronous_commit"]

    private static let question = PostgresStatement(
        "SELECT current_setting('server_version'), current_setting('transaction_read_only')"
            + settings.map { ", current_setting('\($0)')" }.joined())

    private static func read(_ rows: PostgresRows, _ evidence: inout QueueEvidence) {
        guard rows.count == 1, let version = rows.text(0, 0) else { return }
        evidence.server = .seen(
            QueueServer(version: String(version.prefix(40)), takesWrites: rows.text(0, 1) == "off"))
        let off = settings.enumerated().filter { rows.text(0, $0.offset + 2) == "off" }.map(\.element)
        evidence.persistence = .seen(.writeAheadLog(off: off))
        evidence.memory = .unseen("PostgreSQL keeps jobs on disk, and has no policy for full memory")
    }
}
