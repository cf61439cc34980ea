import APNSModel
import Foundation
import RealServers
import SystemFiles
import TLSSession
import TestSupport
import Testing

@testable import RedisClient

@Suite(.enabled(if: RealServers.hasRedis, "redis-server is not installed"))
struct RedisClientTests {
    private func client(_ url: String, _ change: (inout RedisConfiguration) -> Void = { _ in }) throws -> RedisClient {
        var configuration = try RedisURL(url).configuration
        configuration.longestBackOff = .milliseconds(200)
        // The machine may be busy with other tests.
        configuration.connectTimeout = .seconds(60)
        configuration.requestTimeout = .seconds(60)
        change(&configuration)
        return try RedisClient(configuration, random: { 0.5 })
    }

    private func code(_ url: String, _ command: RedisCommand = RedisCommand("PING")) async throws -> RedisError.Code? {
        let client = try client(url)
        do {
            _ = try await client.send(command)
            await client.close()
            return nil
        } catch {
            await client.close()
            return error.code
        }
    }

    @Test func `requests from many tasks are answered each with its own replies`() async throws {
        try await withRedis { server in
            let client = try client(server.url)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let replies = try await client.send([
                            RedisCommand("SET", "key\(number)", "value\(number)"), RedisCommand("GET", "key\(number)"),
                            RedisCommand("NOSUCH"),
                        ])
                        #expect(replies[1].string == "value\(number)")
                        guard case .failure(let error) = replies[2] else {
                            Issue.record("it was run")
                            return
                        }
                        #expect(error.code == .unknownCommand)
                    }
                }
                try await group.waitForAll()
            }
            #expect(await client.connectionCount == 1)
            await client.close()
            await #expect(throws: RedisError.self) { try await client.send(RedisCommand("PING")) }
        }
    }

    @Test func `password, user and database are those of the URL`() async throws {
        try await withRedis(["--requirepass", "secret"]) { server in
            #expect(try await code("redis://127.0.0.1:\(server.port)") == .passwordNeeded)
            #expect(try await code("redis://:wrong@127.0.0.1:\(server.port)") == .wrongPassword)
            #expect(try await code("redis://:secret@127.0.0.1:\(server.port)/99") == .badDatabase)
            let admin = try client("redis://:secret@127.0.0.1:\(server.port)/2")
            _ = try await admin.send([
                RedisCommand("SET", "key", "value"),
                RedisCommand("ACL", "SETUSER", "reader", "on", ">pass", "~*", "+get", "+ping", "+select"),
            ])
            let reader = "redis://reader:pass@127.0.0.1:\(server.port)/2"
            #expect(try await client(reader).send(RedisCommand("GET", "key")).string == "value")
            #expect(try await code(reader, RedisCommand("SET", "key", "x")) == .noPermission)
            await admin.close()
        }
    }

    @Test func `a script is loaded once, and again after the server has forgotten it`() async throws {
        try await withRedis { server in
            let client = try client(server.url)
            let script = RedisScript("return {KEYS[1], ARGV[1]}")
            for _ in 0..<2 {
                let reply = try await client.run(script, keys: ["k"], [Array("v".utf8)])
                #expect(reply.array?.map(\.string) == ["k", "v"])
                _ = try await client.send(RedisCommand("SCRIPT", "FLUSH"))
            }
            await #expect(throws: RedisError.self) { try await client.run(RedisScript("not lua"), keys: [], []) }
        }
    }

    @Test func `a killed server fails what waits, and the next request finds it again`() async throws {
        try await withRedis(["--appendonly", "yes", "--appendfsync", "always"]) { server in
            let client = try client(server.url)
            let admin = try self.client(server.url)
            _ = try await client.send(RedisCommand("SET", "key", "value"))
            let blocked = Task { try await client.send(RedisCommand("BLPOP", "list", "60"), timeout: .seconds(120)) }
            let isBlocked = try await eventually {
                try await admin.send(RedisCommand("CLIENT", "LIST")).string?.contains("cmd=blpop") == true
            }
            #expect(isBlocked)
            try await server.kill()
            let error = await #expect(throws: RedisError.self) { try await blocked.value }
            #expect(error?.code == .connectionLost && error?.mayHaveRun == true)
            let refused = await #expect(throws: RedisError.self) { try await client.send(RedisCommand("PING")) }
            #expect(refused?.code == .connectFailed && refused?.mayHaveRun == false)
            try await server.start()
            let isBack = await eventually {
                (try? await client.send(RedisCommand("GET", "key")).string) == "value"
            }
            #expect(isBack)
            #expect(await client.connectionCount == 2)
        }
    }

    @Test func `a server that hangs is given up after the timeout`() async throws {
        try await withRedis { server in
            let client = try client(server.url) { $0.requestTimeout = .milliseconds(50) }
            _ = try await client.send(RedisCommand("PING"), timeout: .seconds(20))
            server.freeze()
            let error = await #expect(throws: RedisError.self) { try await client.send(RedisCommand("PING")) }
            #expect(error?.code == .timedOut && error?.mayHaveRun == true)
            server.resume()
            #expect(try await client.send(RedisCommand("PING"), timeout: .seconds(20)).string == "PONG")
        }
    }

    @Test func `a full server, a replica and a cluster are told apart`() async throws {
        try await withRedis(["--maxmemory", "1mb", "--maxmemory-policy", "noeviction"]) { server in
            let code = try await code(server.url, RedisCommand("SET", "key", String(repeating: "x", count: 100_000)))
            #expect(code == .full)
        }
        try await withRedis { master in
            try await withRedis(["--replicaof", "127.0.0.1 \(master.port)"]) { replica in
                let code = try await code(replica.url, RedisCommand("SET", "key", "value"))
                #expect(code == .readOnly)
            }
        }
        try await withRedis(["--cluster-enabled", "yes", "--cluster-port", "\(RealServers.freePort())"]) { server in
            let code = try await code(server.url, RedisCommand("SET", "key", "value"))
            #expect(code == .clusterMode)
        }
        try await withRedis(["--maxclients", "1"]) { server in
            // The connection that found the server listening may still be open.
            let first = try client(server.url)
            let isIn = await eventually { (try? await first.send(RedisCommand("PING"))) != nil }
            #expect(isIn)
            let second = try await code(server.url)
            // The server closes at once, so that its sentence may be lost.
            #expect(second == .tooManyClients || second == .connectionLost)
            await first.close()
        }
    }

    @Test func `TLS is verified, with the authority of the URL`() async throws {
        try await withTemporaryFolder { folder in
            let validity = CertificateValidity(days: 2, from: WallClock.secondsSince1970)
            let authority = try DevelopmentAuthority(validity: validity)
            let identity = try authority.server(validity: validity)
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            try PrivateFolder.write(authority.certificatePEM, to: path("ca.pem"), mode: 0o600)
            try PrivateFolder.write(identity.chainPEM, to: path("server.pem"), mode: 0o600)
            try PrivateFolder.write(identity.privateKeyPEM, to: path("server.key"), mode: 0o600)
            let tlsPort = try RealServers.freePort()
            try await withRedis([
                "--port", "0", "--tls-port", "\(tlsPort)", "--tls-cert-file", path("server.pem"), "--tls-key-file",
                path("server.key"), "--tls-ca-cert-file", path("ca.pem"), "--tls-auth-clients", "no",
            ]) { _ in
                let good = try client("rediss://localhost:\(tlsPort)/0?ca=\(path("ca.pem"))")
                let value = String(repeating: "x", count: 300_000)
                _ = try await good.send(RedisCommand("SET", "key", value))
                #expect(try await good.send(RedisCommand("GET", "key")).string == value)
                let stranger = try client("rediss://localhost:\(tlsPort)/0")
                let error = await #expect(throws: RedisError.self) { try await stranger.send(RedisCommand("PING")) }
                #expect(error?.code == .tlsFailed, "\(error?.detail ?? "")")
                await stranger.close()
                let plain = try client("redis://localhost:\(tlsPort)/0") { $0.connectTimeout = .seconds(1) }
                await #expect(throws: RedisError.self) { try await plain.send(RedisCommand("PING")) }
                await plain.close()
            }
            try await withRedis { plain in
                // It waits for the rest of what it takes for a command.
                let client = try client("rediss://127.0.0.1:\(plain.port)/0?ca=\(path("ca.pem"))") {
                    $0.connectTimeout = .seconds(10)
                }
                let error = await #expect(throws: RedisError.self) { try await client.send(RedisCommand("PING")) }
                #expect(error?.code == .timedOut)
                #expect(error?.detail.contains("did not end the TLS handshake in time") == true)
                #expect(error?.detail.contains("begins with redis://") == true)
                await client.close()
            }
        }
    }

    @Test func `sentinels name the master, and the new one after it is gone`() async throws {
        let master = try await RedisServer.started()
        let replica = try await RedisServer.started(["--replicaof", "127.0.0.1 \(master.port)"])
        let sentinel = try await RedisServer.started(
            [
                "sentinel monitor main 127.0.0.1 \(master.port) 1", "sentinel down-after-milliseconds main 60000",
                "sentinel failover-timeout main 2000",
            ], isSentinel: true)
        defer { for server in [master, replica, sentinel] { server.end() } }
        let client = try client("redis://127.0.0.1:\(sentinel.port)/0?sentinel=main")
        // The sentinel must have seen the replica, and the replica must have the write.
        let isReplicated = try await eventually {
            let replies = try await client.send([RedisCommand("SET", "key", "value"), RedisCommand("WAIT", "1", "100")])
            guard replies[1].integer == 1 else { return false }
            let asked = try self.client("redis://127.0.0.1:\(sentinel.port)/0")
            defer { Task { await asked.close() } }
            return try await asked.send(RedisCommand("SENTINEL", "replicas", "main")).array?.isEmpty == false
        }
        #expect(isReplicated)
        // Not before: a busy machine could take the master for dead.
        let sentinels = try self.client("redis://127.0.0.1:\(sentinel.port)/0")
        _ = try await sentinels.send(RedisCommand("SENTINEL", "SET", "main", "down-after-milliseconds", "300"))
        await sentinels.close()
        try await master.kill()
        let isBack = await eventually { (try? await client.send(RedisCommand("SET", "other", "value")).string) == "OK" }
        #expect(isBack)
        #expect(try await client.send(RedisCommand("GET", "key")).string == "value")
        #expect(try await code("redis://127.0.0.1:\(sentinel.port)/0?sentinel=other") == .noMaster)
        let wrong = try self.client("redis://127.0.0.1:\(replica.port)/0?sentinel=main")
        let error = await #expect(throws: RedisError.self) { try await wrong.send(RedisCommand("PING")) }
        #expect(error?.detail.contains("is no sentinel; leave sentinel= out") == true, "\(error?.detail ?? "")")
        await wrong.close()
    }
}

struct RedisClientHostileTests {
    private func error(
        _ answer: String, closes: Bool = false, within limit: Duration = .seconds(60), isEncrypted: Bool = false
    ) async throws -> RedisError? {
        let server = try await FakeServer(answer, closes: closes)
        var configuration = RedisConfiguration(addresses: [server.address])
        configuration.connectTimeout = limit
        configuration.isEncrypted = isEncrypted
        let client = try RedisClient(configuration)
        let error = await #expect(throws: RedisError.self) { try await client.send(RedisCommand("PING")) }
        await client.close()
        try await server.end()
        return error
    }

    @Test func `half a reply, a reply too many and other protocols are errors`() async throws {
        #expect(try await error("+PO", within: .milliseconds(500))?.code == .timedOut)
        #expect(try await error("+PO", closes: true)?.code == .connectionLost)
        #expect(try await error("HTTP/1.1 400 Bad Request\r\n\r\n")?.code == .notRedis)
        #expect(try await error("-LOADING Redis is loading the dataset in memory\r\n")?.code == .loading)
        #expect(try await error("-ERR max number of clients reached\r\n", closes: true)?.code == .tooManyClients)
        #expect(try await error("*1000000000\r\n")?.code == .replyTooLarge)
    }

    @Test func `a server that closes the connection in the TLS handshake may be one without TLS`() async throws {
        let closed = try await error("", closes: true, isEncrypted: true)
        #expect(closed?.code == .tlsFailed)
        #expect(closed?.detail.contains("if nothing speaks TLS there, the URL begins with redis://") == true)
        let other = try await error("-ERR unknown command\r\n", closes: true, isEncrypted: true)
        #expect(other?.detail.contains("does not speak TLS") == true)
    }

    @Test func `a port where nothing listens is an error, and the attempts are spread`() async throws {
        let port = try HeldPort()
        let client = try RedisClient(
            RedisConfiguration(addresses: [RedisAddress(host: "127.0.0.1", port: port.number)]))
        let error = await #expect(throws: RedisError.self) { try await client.send(RedisCommand("PING")) }
        #expect(error?.code == .connectFailed)
        #expect(error?.detail.contains("connection refused") == true)
        // The next attempt is later than this request may wait.
        let second = await #expect(throws: RedisError.self) {
            try await client.send(RedisCommand("PING"), timeout: .zero)
        }
        #expect(second?.code == .connectFailed)
    }
}
