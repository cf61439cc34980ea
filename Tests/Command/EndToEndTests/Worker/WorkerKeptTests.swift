import RealServers
import RedisClient
import Testing

/// The lists of `apns worker` as processes, over keys with the data of another program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: RealServers.hasRedis, "redis-server is not installed"))
struct WorkerKeptTests {
    @Test(arguments: ["feedback", "dead", "dead retry", "dead drop", "later", "later retry", "later drop"])
    func `a list or change over the data of another program names the key, and what to do`(
        _ subcommand: String
    ) async throws {
        try await withRedis { server in
            let words = subcommand.split(separator: " ").map(String.init)
            let client = try RedisClient(RedisURL(server.url).configuration)
            _ = try await client.send(RedisCommand("SET", "push:\(words[0])", "x"))
            await client.close()
            try await withCommand { command in
                let result = try await command.run(["worker"] + words + ["--queue", server.url])
                #expect(result.status == 2, "\(result.text)")
                for part in ["the key push:\(words[0]) holds", "the queue needs a", "or choose another prefix"] {
                    #expect(result.errors.contains(part), "\(result.text)")
                }
                #expect(result.output.isEmpty, "\(result.text)")
            }
        }
    }

    @Test func `the status names the key, and shows what it can count`() async throws {
        try await withRedis { server in
            let client = try RedisClient(RedisURL(server.url).configuration)
            _ = try await client.send([
                RedisCommand("SET", "push:feedback", "x"), RedisCommand("SET", "push:lanes", "x"),
                RedisCommand("XADD", "push:jobs:bulk:0", "*", "b", "{}"),
            ])
            await client.close()
            try await withCommand { command in
                let result = try await command.run(["worker", "status", "--json", "--queue", server.url])
                #expect(result.status == 0, "\(result.text)")
                #expect(result.output.contains(#""lane":"bulk","backlog":1"#), "\(result.text)")
                for (key, kind) in [("feedback", "stream"), ("lanes", "set")] {
                    let sentence = "the key push:\(key) holds a string, and the queue needs a \(kind)"
                    #expect(result.errors.contains(sentence), "\(result.text)")
                }
            }
        }
    }
}
