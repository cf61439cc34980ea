import PushQueue
import PushQueueTesting
import RealServers
import RedisClient
import RepositoryFiles
import TestSupport
import Testing

@testable import RedisQueue

@Suite(.enabled(if: RealServers.hasRedis, "redis-server is not installed"))
struct RedisQueueTests {
    @Test(arguments: JobQueueCheck.all) func `passes the suite of all engines`(_ check: JobQueueCheck) async throws {
        try await withQueue { queue, other, _ in
            try await check.run(JobQueueUnderTest(queue: queue, other: other) { try await Task.sleep(for: $0) })
        }
    }

    @Test(arguments: JobQueueCheck.all) func `passes it with several streams in a lane`(
        _ check: JobQueueCheck
    ) async throws {
        // The order between streams is not kept.
        guard !check.description.contains("oldest first"), !check.description.contains("key is taken")
        else { return }
        try await withQueue(options: "&shards=3") { queue, other, _ in
            try await check.run(JobQueueUnderTest(queue: queue, other: other) { try await Task.sleep(for: $0) })
        }
    }

    @Test func `the rights that the page names are enough`() async throws {
        let page = try Repository.text("docs/queue.md")
        let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("ACL SETUSER worker") })
        try await withRedis { server in
            let admin = try RedisClient(RedisURL(server.url).configuration)
            var command = RedisCommand("ACL")
            for word in line.replacing("PASSWORD", with: "pass").split(separator: " ").dropFirst() {
                command.append(String(word))
            }
            #expect(try await admin.send(command).string == "OK")
            for check in JobQueueCheck.all {
                let url = "redis://worker:pass@127.0.0.1:\(server.port)/1"
                _ = try await admin.send(RedisCommand("FLUSHALL"))
                let (queue, other) = (
                    try RedisQueue(RedisQueueAddress(url: url)), try RedisQueue(RedisQueueAddress(url: url))
                )
                try await check.run(JobQueueUnderTest(queue: queue, other: other) { try await Task.sleep(for: $0) })
                await queue.close()
                await other.close()
            }
            await admin.close()
        }
    }
}

/// One server for all tests that break nothing.
private let shared = Task { try await RedisServer.started(["--appendonly", "no"]) }

/// Runs `body` with two clients of a queue of their own.
func withQueue(
    options: String = "", _ body: (RedisQueue, RedisQueue, RedisClient) async throws -> Void
) async throws {
    let prefix = "t\(UInt64.random(in: 0...UInt64.max))"
    let server = try await shared.value
    let url = "\(server.url)?prefix=\(prefix)\(options)"
    var address = try RedisQueueAddress(url: url)
    (address.server.connectTimeout, address.server.requestTimeout) = (.seconds(60), .seconds(60))
    let queue = try RedisQueue(address)
    let other = try RedisQueue(address)
    let client = try RedisClient(RedisURL(server.url).configuration)
    do {
        try await body(queue, other, client)
    } catch {
        await queue.close()
        await other.close()
        await client.close()
        throw error
    }
    await queue.close()
    await other.close()
    await client.close()
}
