import RealServers
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `apns worker enqueue` as a process.
@Suite(.timeLimit(.minutes(10)), .enabled(if: RealServers.hasRedis, "redis-server is not installed"))
struct WorkerEnqueueTests {
    @Test(arguments: [SIGINT, SIGTERM]) func `a signal ends it with the counts, and with which line to go on`(
        signal: Int32
    ) async throws {
        try await withRedis { server in
            try await withCommand { command in
                let enqueue = try command.start(
                    ["worker", "enqueue", "--batch", "-", "--queue", server.url], hasInput: true)
                let line = #"{"token":"ab12","payload":{"aps":{"alert":"Hi"}}}"# + "\n"
                enqueue.feed(String(repeating: line, count: 150) + "{\n")
                // The first hundred are in the queue before the reader comes to the bad line.
                try await enqueue.errorLine("standard input:151:")
                enqueue.send(signal)
                #expect(await enqueue.status() == 1)
                let (output, errors) = (await enqueue.output.all(), await enqueue.errors.all())
                #expect(output.contains("100 envelopes: 100 jobs enqueued"), "\(output)")
                #expect(errors.contains("nothing was enqueued from line 101 on"), "\(errors)")
                let status = try await command.run(["worker", "status", "--json", "--queue", server.url])
                #expect(status.output.contains(#""backlog":100"#), "\(status.text)")
                enqueue.endInput()
            }
        }
    }
}
