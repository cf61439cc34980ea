import TestSupport
import Testing

/// `apns worker` as a process.
@Suite(.timeLimit(.minutes(10))) struct WorkerRunTests {
    @Test(arguments: [[], ["--json"]]) func `it says that it sends only after it has reached the queue`(
        _ options: [String]
    ) async throws {
        try await withLocalGateway { _, command in
            let port = try HeldPort()
            let queue = "redis://127.0.0.1:\(port.number)/0"
            let result = try await command.run(["worker", "--queue", queue, "--gateway", "local"] + options)
            #expect(result.status == 2)
            #expect(result.errors.contains("cannot connect to 127.0.0.1:\(port.number)"), "\(result.text)")
            #expect(!result.text.contains("sends to"), "\(result.text)")
            #expect(result.output.isEmpty)
        }
    }
}
