import APNSModel
import APNSProvider
import HTTP2Session
import Synchronization
import TestSupport
import Testing

/// The provider with a gateway on a loopback port: what the tests of the single types leave out.
struct PushProviderGatewayTests {
    private static func bulk(_ provider: PushProvider, count: Int) async throws -> Tally {
        var tally = Tally()
        for try await result in provider.send(all: Numbers(count: count)) { tally.count(result) }
        #expect(tally.repeated == 0)
        return tally
    }

    @Test func `a notification carries its headers and its payload byte for byte`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            let provider = try PushProvider(configuration)
            let reply = try await provider.send(
                TestNotifications.notification(1, payload: #"{ "aps" : {"alert":"ü"} }"#))
            await provider.close()
            let request = try #require(gateway.log.withLock { $0.requests.first })
            #expect(reply.isAccepted)
            #expect(reply.apnsID?.text == request.fields["apns-id"])
            #expect(String(decoding: request.body, as: UTF8.self) == #"{ "aps" : {"alert":"ü"} }"#)
            var fields = request.fields
            #expect(fields.removeValue(forKey: "authorization")?.hasPrefix("bearer ey") == true)
            #expect(NotificationID(fields.removeValue(forKey: "apns-id") ?? "") != nil)
            #expect(
                fields == [
                    ":method": "POST", ":scheme": "https", ":authority": "localhost:\(gateway.port)",
                    ":path": "/3/device/ab10000010", "apns-topic": "com.example.app", "apns-push-type": "alert",
                    "apns-priority": "10", "apns-expiration": "0", "apns-collapse-id": "c",
                ])
        }
    }

    @Test func `without validation an invalid notification is sent, and a refusal is an answer`() async throws {
        try await ScriptedGateway.with(script: { _ in .refuse(.payloadEmpty) }) { _, configuration in
            var configuration = configuration
            configuration.validates = false
            let provider = try PushProvider(configuration)
            #expect(try await provider.send(TestNotifications.invalid()).reason == .payloadEmpty)
            await provider.close()
        }
    }

    @Test func `a thousand tasks send over several connections, within the limit`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            var configuration = configuration
            configuration.connections = 4
            configuration.maximumPending = 100
            let provider = try PushProvider(configuration)
            let accepted = try await withThrowingTaskGroup { group in
                for number in 0..<1000 {
                    group.addTask { try await provider.send(TestNotifications.notification(number)).isAccepted }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            await provider.close()
            #expect(accepted == 1000)
            #expect(gateway.log.withLock { $0.accepted.values.allSatisfy { $0 == 1 } })
            #expect(gateway.log.withLock { $0.mostStreams } <= 100)
        }
    }

    @Test func `a bulk send gives each notification one result`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            $0.number.isMultiple(of: 10) ? .refuse(.unregistered) : .accept
        }
        try await ScriptedGateway.with(script: script) { gateway, configuration in
            let provider = try PushProvider(configuration)
            let tally = try await Self.bulk(provider, count: 20_000)
            await provider.close()
            #expect(tally.accepted == 18_000 && tally.refused == 2000)
            #expect(tally.indices == Set(0..<20_000))
        }
    }

    @Test func `the stream limit of one is kept, and its rise and fall are followed`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            switch $0.number {
            case 10: .streamLimit(1000)
            case 1500: .streamLimit(1)
            case 1600: .streamLimit(1000)
            default: .accept
            }
        }
        try await ScriptedGateway.with(firstStreamLimit: 1, script: script) { gateway, configuration in
            let provider = try PushProvider(configuration)
            let tally = try await Self.bulk(provider, count: 3000)
            await provider.close()
            #expect(tally.accepted == 3000)
            #expect(gateway.log.withLock { $0.connections } == 1)
            #expect(gateway.log.withLock { $0.mostStreams } > 100)
        }
    }

    @Test func `GOAWAY moves what was not processed to a new connection`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            $0.number % 1000 == 500 ? .goAwayBefore : $0.number % 1000 == 900 ? .goAwayAfter : .accept
        }
        try await ScriptedGateway.with(script: script) { gateway, configuration in
            let provider = try PushProvider(configuration)
            let tally = try await Self.bulk(provider, count: 3000)
            await provider.close()
            #expect(tally.accepted == 3000)
            #expect(gateway.log.withLock { $0.connections } > 3)
            #expect(gateway.log.withLock { $0.accepted.values.allSatisfy { $0 == 1 } })
        }
    }

    @Test func `connections that are cut leave exact counts`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            $0.number % 700 == 699 ? .disconnect : .accept
        }
        try await ScriptedGateway.with(script: script) { gateway, configuration in
            var configuration = configuration
            configuration.connections = 3
            let provider = try PushProvider(configuration)
            let tally = try await Self.bulk(provider, count: 5000)
            await provider.close()
            #expect(tally.indices.count == 5000)
            #expect(tally.refused == 0 && tally.unsent == 0 && tally.unknown > 0)
            let (accepted, twice) = gateway.log.withLock {
                ($0.accepted.count, $0.accepted.values.filter { $0 > 1 }.count)
            }
            #expect(twice == 0)
            // What the gateway accepted and the sender has no answer for is among the unknown.
            #expect(accepted >= tally.accepted && accepted <= tally.accepted + tally.unknown)
        }
    }

    @Test func `an address that refuses connections is named`() async throws {
        var configuration = try await ScriptedGateway.with(script: { _ in .accept }) { $1 }
        let port = try HeldPort()
        configuration.gateway.port = port.number
        configuration.connectAttempts = 2
        let provider = try PushProvider(configuration)
        let error = await #expect(throws: APNSSendError.self) {
            _ = try await provider.send(TestNotifications.notification(1))
        }
        await provider.close()
        #expect(error?.code == .connectionFailed)
        #expect(error?.isSafeToRetry == true)
        #expect(error?.detail.contains("localhost:\(configuration.gateway.port)") == true)
        #expect(error?.detail.contains("refused") == true)
    }

    @Test func `a gateway of another authority is not trusted, and not tried again`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            try await ScriptedGateway.with(script: { _ in .accept }) { other, _ in
                var configuration = configuration
                configuration.trust = .authorities(pem: other.authority)
                configuration.connectAttempts = 100
                configuration.backOff = .seconds(60)
                let provider = try PushProvider(configuration)
                let error = await #expect(throws: APNSSendError.self) {
                    _ = try await provider.send(TestNotifications.notification(1))
                }
                await provider.close()
                #expect(error?.code == .connectionFailed)
                #expect(gateway.log.withLock { $0.requests.isEmpty })
            }
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [nil, 100])
    func `a client that is refused after its handshake loses nothing`(connectAttempts: Int?) async throws {
        try await ScriptedGateway.with(refusesClients: true, script: { _ in .accept }) { gateway, configuration in
            var configuration = configuration
            configuration.connectAttempts = connectAttempts
            configuration.timeout = connectAttempts == nil ? .seconds(5) : .seconds(60)
            let provider = try PushProvider(configuration)
            var errors: [APNSSendError] = []
            for try await result in provider.send(all: Numbers(count: 5)) {
                if case .unsent(let error) = result.outcome { errors.append(error) }
            }
            await provider.close()
            #expect(errors.count == 5)
            #expect(connectAttempts == nil || errors.allSatisfy { $0.detail.contains("wants a certificate") })
            #expect(connectAttempts == nil || errors.allSatisfy { $0.isCertificateRefused })
            #expect(gateway.log.withLock { $0.requests.isEmpty })
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a notification whose body the gateway never lets through is unsent`() async throws {
        try await ScriptedGateway.with(window: 0, script: { _ in .accept }) { gateway, configuration in
            let provider = try PushProvider(configuration)
            // Its body is written before the gateway's SETTINGS come.
            #expect(try await provider.send(TestNotifications.notification(1)).isAccepted)
            let error = await #expect(throws: APNSSendError.self) {
                _ = try await provider.send(TestNotifications.notification(2), timeout: .seconds(15))
            }
            #expect(error?.code == .deadlineExceeded && error?.isSafeToRetry == true)
            #expect(error?.detail == "the deadline passed before the notification was written")
            await provider.close()
            #expect(gateway.log.withLock { $0.requests.count } == 1)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a notification without an answer ends at its deadline`() async throws {
        try await ScriptedGateway.with(script: { _ in .silence }) { _, configuration in
            let provider = try PushProvider(configuration)
            let error = await #expect(throws: APNSSendError.self) {
                _ = try await provider.send(TestNotifications.notification(1), timeout: .milliseconds(1))
            }
            #expect(error?.code == .deadlineExceeded)
            await provider.close()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a notification that is not admitted ends at its deadline`() async throws {
        try await ScriptedGateway.with(script: { _ in .silence }) { _, configuration in
            var configuration = configuration
            configuration.maximumPending = 1
            let provider = try PushProvider(configuration)
            // On the provider's event loop, so that the first is submitted before the second.
            let error = await Task(executorPreference: provider.executor) { () -> APNSSendError? in
                async let _ = provider.send(TestNotifications.notification(1), timeout: .seconds(3600))
                await Task.yield()
                do {
                    _ = try await provider.send(TestNotifications.notification(2), timeout: .milliseconds(1))
                    return nil
                } catch { return error as? APNSSendError }
                // Leaving the scope cancels the first.
            }.value
            #expect(error?.code == .deadlineExceeded)
            #expect(error?.detail == "the deadline passed while the maximum of other notifications was pending")
            await provider.close()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a gateway that hangs is noticed by its silence`() async throws {
        try await ScriptedGateway.with(script: { $0.number == 0 ? .hang : .accept }) { gateway, configuration in
            var hasty = configuration
            hasty.pingAfterSilence = .milliseconds(1)
            hasty.pingTimeout = .milliseconds(1)
            let provider = try PushProvider(hasty)
            let error = await #expect(throws: APNSSendError.self) {
                _ = try await provider.send(TestNotifications.notification(1))
            }
            #expect(error?.code == .connectionLost)
            #expect(error?.isSafeToRetry == false)
            #expect(error?.detail.contains("PING") == true)
            await provider.close()
            // The provider may close the connection before the gateway has done its part of the handshake.
            #expect(gateway.log.withLock { $0.connections } <= 1)
        }
    }

    @Test func `the error of a cancelled task says whether its notification may have been sent`() async throws {
        let arrived = AsyncStream.makeStream(of: Int.self)
        let count = Mutex(0)
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            count.withLock { $0 += 1 }
            arrived.continuation.yield($0.number)
            return .silence
        }
        try await ScriptedGateway.with(firstStreamLimit: 1, script: script) { _, configuration in
            var configuration = configuration
            configuration.maximumPending = 2
            let provider = try PushProvider(configuration)
            let tasks = (0..<4).map { number in
                Task { () -> APNSSendError? in
                    do {
                        _ = try await provider.send(TestNotifications.notification(number))
                        return nil
                    } catch { return error as? APNSSendError }
                }
            }
            for await _ in arrived.stream { break }  // one is on its stream, one is queued, two are not admitted
            for task in tasks { task.cancel() }
            var safe: [Bool] = []
            for task in tasks {
                let error = try #require(await task.value)
                #expect(error.code == .cancelled)
                safe.append(error.isSafeToRetry)
            }
            await provider.close()
            // A cancelled task makes room for the next one, which may be written before it is cancelled too.
            let unsafe = safe.count { !$0 }
            #expect(unsafe >= 1)
            #expect(unsafe >= count.withLock { $0 }, "a notification that the gateway has seen is safe to send again")
        }
    }

    @Test func `stopping a bulk send ends it with every result, and results of written notifications are true`()
        async throws
    {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            let provider = try PushProvider(configuration)
            let source = Numbers(count: .max)
            let results = provider.send(all: source, window: 5000)
            var tally = Tally()
            for try await result in results {
                tally.count(result)
                results.stop()
            }
            await provider.close()
            #expect(tally.repeated == 0 && tally.refused == 0 && tally.unknown == 0)
            #expect(tally.indices.count == source.taken.load(ordering: .relaxed))
            #expect(tally.accepted == gateway.log.withLock { $0.requests.count })
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `closing does not wait for a peer that sends nothing`() async throws {
        try await ScriptedGateway.withSilentListener { configuration in
            var configuration = configuration
            configuration.connectTimeout = .seconds(3600)
            configuration.timeout = .seconds(3600)
            let provider = try PushProvider(configuration)
            // On the provider's event loop, so that the notification is submitted before the provider closes.
            let error = await Task(executorPreference: provider.executor) { () -> APNSSendError? in
                async let reply = provider.send(TestNotifications.notification(1))
                await provider.close()
                do {
                    _ = try await reply
                    return nil
                } catch { return error as? APNSSendError }
            }.value
            #expect(error?.code == .providerClosed)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `dropping the provider closes its connection, and not before its results are read`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            var tally = Tally()
            for try await result in try PushProvider(configuration).send(all: Numbers(count: 500), window: 10) {
                tally.count(result)
            }
            #expect(tally.accepted == 500)
            for await _ in gateway.ended.stream { break }
        }
    }
}
