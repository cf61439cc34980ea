import APNSModel
import Foundation
import RealServers
import SystemFiles
import TLSSession
import TestSupport
import Testing

@testable import PostgresClient

@Suite(.enabled(if: RealServers.hasPostgres, "postgresql is not installed"))
struct PostgresClientTests {
    private func client(
        _ url: String, _ change: (inout PostgresConfiguration) -> Void = { _ in }
    ) throws -> PostgresClient {
        var configuration = try PostgresConfiguration(url: url, environment: [:])
        configuration.longestBackOff = .milliseconds(200)
        // The machine may be busy with other tests.
        configuration.connectTimeout = .seconds(60)
        configuration.requestTimeout = .seconds(60)
        change(&configuration)
        return PostgresClient(configuration, random: { 0.5 })
    }

    @Test func `a number is read where the text is one`() async throws {
        let client = try await client(PostgresServer.shared.url())
        let texts = [
            "0", "-5", "42", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
            "-9223372036854775809", "",
            "-", "+1", "1x", "1.5", nil,
        ]
        let rows = try await client.run(PostgresStatement("SELECT unnest($1::text[])", [PostgresArray.text(texts)]))
        #expect(texts.indices.map { rows.number($0, 0) } == [0, -5, 42, .max, .min] + Array(repeating: nil, count: 8))
        await client.close()
    }

    @Test func `requests from many tasks are answered each with its own rows, over one connection`() async throws {
        let client = try await client(PostgresServer.shared.url())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let rows = try await client.run([
                        PostgresStatement("SELECT $1::int8 * 2, $2::text", ["\(number)", nil]),
                        PostgresStatement("SELECT unnest($1::text[])", [PostgresArray.text(["a\"\\", "ü,{}", nil])]),
                    ])
                    #expect(rows[0].number(0, 0) == Int64(number * 2) && rows[0].text(0, 1) == nil)
                    #expect((0..<3).map { rows[1].text($0, 0) } == ["a\"\\", "ü,{}", nil])
                }
            }
            try await group.waitForAll()
        }
        #expect(await client.connectionCount == 1)
        #expect(await client.serverVersion >= 120_000)
        await client.close()
        await #expect(throws: PostgresError.self) { try await client.run(PostgresStatement("SELECT 1")) }
    }

    @Test func `a request is one transaction, and an error ends it alone`() async throws {
        let client = try await client(PostgresServer.shared.url())
        _ = try await client.run(PostgresStatement("CREATE TEMP TABLE once (id int PRIMARY KEY)"))
        let insert = PostgresStatement("INSERT INTO once VALUES ($1::int)", ["1"])
        let error = await #expect(throws: PostgresError.self) { try await client.run([insert, insert]) }
        #expect(error?.sqlState == "23505" && error?.mayHaveRun == false)
        #expect(try await client.run(PostgresStatement("SELECT count(*) FROM once")).number(0, 0) == 0)
        #expect(try await client.run(insert).affected == 1)
        let table = await #expect(throws: PostgresError.self) {
            try await client.run(PostgresStatement("SELECT * FROM nosuch"))
        }
        #expect(table?.code == .noTable)
        let text = await #expect(throws: PostgresError.self) {
            try await client.run(PostgresStatement("SELECT $1::text", ["a\0b"]))
        }
        #expect(text?.code == .badText)
        #expect(await client.connectionCount == 1)
        await client.close()
    }

    @Test func `large parameters and results pass, and too many rows are an error`() async throws {
        let client = try await client(PostgresServer.shared.url()) { $0.maximumRows = 1000 }
        let text = String(repeating: "x", count: 3_000_000)
        async let first = client.run(PostgresStatement("SELECT $1::text", [text]))
        async let second = client.run(PostgresStatement("SELECT repeat('y', 3000000)"))
        #expect(try await first.text(0, 0) == text)
        #expect(try await second.text(0, 0)?.utf8.count == 3_000_000)
        let error = await #expect(throws: PostgresError.self) {
            try await client.run(PostgresStatement("SELECT generate_series(1, 1001)"))
        }
        #expect(error?.code == .resultTooLarge)
        await client.close()
    }

    @Test func `a notification wakes who waits, also when it came before`() async throws {
        let url = try await PostgresServer.shared.url()
        let listener = try client(url) { $0.channels = ["wake_test"] }
        let other = try client(url)
        let pid = try await listener.run(PostgresStatement("SELECT pg_backend_pid()")).text(0, 0)
        let notify = PostgresStatement("NOTIFY wake_test")
        async let waiting = listener.waitForNotification(timeout: .seconds(300))
        _ = try await other.run(notify)
        #expect(await waiting == ["wake_test"])
        _ = try await other.run(notify)
        #expect(await listener.waitForNotification(timeout: .seconds(300)) == ["wake_test"])
        #expect(await listener.waitForNotification(timeout: .milliseconds(1)).isEmpty)
        // A connection that is lost wakes too.
        async let lost = listener.waitForNotification(timeout: .seconds(300))
        _ = try await other.run(PostgresStatement("SELECT pg_terminate_backend($1::int)", [pid]))
        #expect(await lost.isEmpty)
        await listener.close()
        await other.close()
    }

    @Test func `a statement whose table was changed runs again on a new connection`() async throws {
        let url = try await PostgresServer.shared.url()
        let reader = try client(url)
        let owner = try client(url)
        let table = "changed_\(UInt32.random(in: 0...UInt32.max))"
        let read = PostgresStatement("SELECT number FROM \(table)")
        _ = try await owner.run(PostgresStatement("CREATE TABLE \(table) (number int)"))
        _ = try await reader.run(read)
        _ = try await owner.run(PostgresStatement("ALTER TABLE \(table) ALTER COLUMN number TYPE text"))
        let error = await #expect(throws: PostgresError.self) { try await reader.run(read) }
        #expect(error?.code == .conflict, "\(error?.detail ?? "")")
        let isBack = await eventually { (try? await reader.run(read)) != nil }
        #expect(isBack)
        #expect(await reader.connectionCount == 2)
        _ = try await owner.run(PostgresStatement("DROP TABLE \(table)"))
        await reader.close()
        await owner.close()
    }

    @Test(.timeLimit(.minutes(2)))
    func `a server that lets a client log in and answers nothing fails what waits`() async throws {
        let server = try MuteServer()
        defer { server.end() }
        let url = "postgres://apns@127.0.0.1:\(server.port)/postgres?sslmode=disable&gssencmode=disable"
        let client = try client(url) { $0.connectTimeout = .seconds(10) }
        let error = await #expect(throws: PostgresError.self) { try await client.run(PostgresStatement("SELECT 1")) }
        #expect(error?.code == .timedOut)
        await client.close()
    }

    @Test func `a killed server fails what waits, and the next request finds it again`() async throws {
        let server = try await PostgresServer.started(["fsync": "on"])
        defer { server.end() }
        let client = try client(server.url())
        _ = try await client.run([
            PostgresStatement("CREATE TABLE kept (id int)")
        ])
        _ = try await client.run(PostgresStatement("INSERT INTO kept VALUES (1)"))
        let admin = try self.client(server.url())
        let waiting = Task { try await client.run(PostgresStatement("SELECT pg_sleep(300)")) }
        let isRunning = try await eventually {
            try await admin.run(PostgresStatement("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
                .number(0, 0) == 1
        }
        #expect(isRunning)
        try await server.kill()
        let error = await #expect(throws: PostgresError.self) { try await waiting.value }
        #expect(error?.mayHaveRun == true)
        try await server.start()
        let isBack = await eventually {
            (try? await client.run(PostgresStatement("SELECT count(*) FROM kept")).number(0, 0)) == 1
        }
        #expect(isBack)
        await client.close()
    }

    @Test func `a statement that takes too long is ended by the server, before the client gives up`() async throws {
        let client = try await client(PostgresServer.shared.url()) { $0.requestTimeout = .milliseconds(500) }
        let error = await #expect(throws: PostgresError.self) {
            try await client.run(PostgresStatement("SELECT pg_sleep(300)"), timeout: .seconds(300))
        }
        #expect(error?.code == .locked && error?.sqlState == "57014")
        #expect(await client.connectionCount == 1)
        await client.close()
    }

    @Test func `what keeps a client out is told apart`() async throws {
        let server = try await PostgresServer.shared
        func code(_ url: String, _ change: (inout PostgresConfiguration) -> Void = { _ in }) async throws
            -> PostgresError.Code?
        {
            let client = try client(url, change)
            let error = await #expect(throws: PostgresError.self) {
                try await client.run(PostgresStatement("SELECT 1"))
            }
            await client.close()
            return error?.code
        }
        #expect(try await code(server.url("nosuch")) == .noDatabase)
        #expect(try await code("postgres://nobody@127.0.0.1:\(server.port)/postgres") == .wrongPassword)
        #expect(try await code(server.url() + "?sslmode=verify-full&sslrootcert=/nowhere") == .tlsFailed)
        let port = try HeldPort()
        #expect(try await code("postgres://127.0.0.1:\(port.number)/postgres") == .connectFailed)
        let redis = RealServers.hasRedis ? try await RedisServer.started() : nil
        if let redis {
            let found = try await code("postgres://127.0.0.1:\(redis.port)/postgres") {
                $0.connectTimeout = .seconds(1)
            }
            #expect(found != nil)
            redis.end()
        }
    }

    @Test func `TLS is verified, with the authority of the URL`() async throws {
        try await withTemporaryFolder { folder in
            let validity = CertificateValidity(days: 2, from: WallClock.secondsSince1970)
            let authority = try DevelopmentAuthority(validity: validity)
            let stranger = try DevelopmentAuthority(validity: validity)
            let identity = try authority.server(validity: validity)
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            try PrivateFolder.write(authority.certificatePEM, to: path("ca.pem"), mode: 0o600)
            try PrivateFolder.write(stranger.certificatePEM, to: path("other.pem"), mode: 0o600)
            let server = try await PostgresServer.started(files: [
                "server.crt": identity.chainPEM, "server.key": identity.privateKeyPEM,
            ]) {
                ["ssl": "on", "ssl_cert_file": "\($0)/server.crt", "ssl_key_file": "\($0)/server.key"]
            }
            defer { server.end() }
            let url =
                "postgres://apns@localhost:\(server.port)/postgres?sslmode=verify-full&hostaddr=127.0.0.1&sslrootcert="
            let good = try client(url + path("ca.pem"))
            let text = String(repeating: "x", count: 1_000_000)
            let row = try await good.run(
                PostgresStatement("SELECT ssl, $1::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()", [text]))
            #expect(row.isTrue(0, 0) && row.text(0, 1) == text)
            await good.close()
            let bad = try client(url + path("other.pem"))
            let error = await #expect(throws: PostgresError.self) { try await bad.run(PostgresStatement("SELECT 1")) }
            #expect(error?.code == .tlsFailed)
            await bad.close()
        }
    }
}
