import APNSModel
import APNSProvider
import HTTP2Session
import Logging
import Synchronization
import Testing

/// What a provider logs.
struct PushProviderLogTests {
    private static func lines(
        _ level: Logger.Level, script: @escaping @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer,
        _ body: (PushProvider) async throws -> Void
    ) async throws -> [String] {
        let record = LogRecord()
        var logger = Logger(label: "test") { _ in RecordingLogHandler(record: record) }
        logger.logLevel = level
        try await ScriptedGateway.with(script: script) { _, configuration in
            let provider = try PushProvider(configuration, logger: logger)
            try await body(provider)
            await provider.close()
        }
        return record.lines.withLock { $0 }
    }

    private static func send(_ count: Int) -> (PushProvider) async throws -> Void {
        { provider in
            for number in 0..<count { _ = try? await provider.send(TestNotifications.notification(number)) }
        }
    }

    @Test func `at info it logs connections and provider tokens, and nothing for each notification`() async throws {
        let lines = try await Self.lines(.info, script: { _ in .accept }, Self.send(5))
        #expect(
            lines.map { String($0.prefix { $0 != ":" }) } == ["info connected", "info a new provider token is in use"])
        #expect(lines.allSatisfy { $0.contains("gateway=https://localhost:") })
        #expect(lines.last?.contains("key-id=ABC123DEFG") == true)
    }

    @Test func `refused credentials are one line`() async throws {
        let lines = try await Self.lines(.warning, script: { _ in .refuse(.invalidProviderToken) }, Self.send(5))
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("warning the gateway refuses the credentials") == true)
        #expect(lines.first?.contains("reason=InvalidProviderToken") == true)
    }

    @Test func `a lost connection is logged with its cause`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = { _ in
            .disconnectAfterGoAway(.enhanceYourCalm, "too much")
        }
        let lines = try await Self.lines(.info, script: script, Self.send(1))
        #expect(lines.contains { $0.hasPrefix("info the gateway sent GOAWAY") && $0.contains("too much") })
    }

    @Test func `at debug it logs what was not accepted, and never a device token or a provider token`() async throws {
        let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer = {
            [.refuse(.unregistered), .reset(.internalError), .accept][$0.number % 3]
        }
        let lines = try await Self.lines(.trace, script: script, Self.send(6))
        #expect(lines.count { $0.hasPrefix("debug not accepted") } == 4)
        #expect(lines.contains { $0.contains("reason=Unregistered") })
        #expect(!lines.contains { $0.contains("ab100000") || $0.contains("bearer") || $0.contains("eyJ") })
    }
}

private final class LogRecord: Sendable {
    let lines = Mutex<[String]>([])
}

private struct RecordingLogHandler: LogHandler {
    let record: LogRecord
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let pairs = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
        record.lines.withLock { $0.append("\(event.level) \(event.message): \(pairs)") }
    }
}
