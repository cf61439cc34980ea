import Foundation
import PushDispatch
import SelectiveSync
import Testing

@Suite(.serialized)
struct OAuthSessionTests {
    private static func grant(_ access: String, _ refresh: String? = nil, instance: String? = nil) -> String {
        var members = [#""access_token":"\#(access)""#, #""token_type":"Bearer""#]
        if let refresh { members.append(#""refresh_token":"\#(refresh)""#) }
        if let instance { members.append(#""instance_url":"\#(instance)""#) }
        return TinyServer.answer(200, "{\(members.joined(separator: ","))}")
    }

    private static let invalid = TinyServer.answer(400, #"{"error":"invalid_grant"}"#)

    private func tokens(_ server: TinyServer, _ access: String = "a0", _ refresh: String? = "r0") -> OAuthTokens {
        OAuthTokens(instance: server.url, accessToken: access, refreshToken: refresh)
    }

    private func makeSession(
        _ server: TinyServer, _ storage: any TokenStorage, _ events: Shared<[OAuthEvent]> = Shared([])
    ) throws -> OAuthSession {
        try OAuthSession(
            OAuthApp(tokenAddress: server.url.appendingPathComponent("token"), clientID: "client"), storage: storage
        ) { event in events.change { $0.append(event) } }
    }

    /// A server that holds a renewal until the gate opens.
    private func heldServer() throws -> (TinyServer, ServerGate) {
        let gate = ServerGate()
        let server = try TinyServer { _, _ in
            gate.hold()
            return .message(Self.grant("a1", "r1"))
        }
        return (server, gate)
    }

    @Test func `the stored access token is used until the server refuses it`() async throws {
        let server = try TinyServer([Self.grant("a1")])
        defer { server.stop() }
        let storage = MemoryTokenStorage(tokens(server))
        let session = try makeSession(server, storage)
        #expect(try await session.session().accessToken == "a0")
        #expect(server.requests.isEmpty)
        #expect(try await session.session(replacing: "a0").accessToken == "a1")
        // A call that was refused with the old token gets the new one without another renewal.
        #expect(try await session.session(replacing: "a0").accessToken == "a1")
        #expect(try await session.session().accessToken == "a1")
        #expect(server.requests.count == 1)
        #expect(server.requests[0].hasPrefix("POST /token HTTP/1.1\r\n"))
        #expect(server.requests[0].hasSuffix("grant_type=refresh_token&refresh_token=r0&client_id=client"))
        #expect(await storage.load()?.accessToken == "a1")
    }

    @Test func `many calls share one renewal`() async throws {
        let server = try TinyServer { number, _ in .message(Self.grant("a\(number + 1)", "r\(number + 1)")) }
        defer { server.stop() }
        let session = try makeSession(server, MemoryTokenStorage(tokens(server)))
        let got = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await session.session(replacing: "a0").accessToken } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(got == ["a1"])
        #expect(server.requests.count == 1)
    }

    @Test func `calls over HTTP renew once and are repeated once each`() async throws {
        let records = #"[{"attributes":{"type":"Account"},"Id":"\#(RecordID.test(1))"}]"#
        let server = try TinyServer { _, request in
            if request.hasPrefix("POST /token") { return .message(Self.grant("a1", "r1")) }
            guard request.contains("Bearer a1") else {
                return .message(TinyServer.answer(401, #"[{"message":"x","errorCode":"INVALID_SESSION_ID"}]"#))
            }
            return .message(TinyServer.answer(200, records))
        }
        defer { server.stop() }
        let client = RESTClient(session: try makeSession(server, MemoryTokenStorage(tokens(server))))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let request = FetchRequest(
                        object: "Account", records: [.test(1)], fields: [], timeoutMilliseconds: 20_000)
                    let fetched = try await client.fetch(request)
                    #expect(fetched.count == 1)
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count { $0.hasPrefix("POST /token") } == 1)
        #expect(server.requests.count { $0.contains("Bearer a1") } == 8)
    }

    @Test func `a new refresh token is stored before any call gets the access token`() async throws {
        let server = try TinyServer([Self.grant("a1", "r1"), Self.grant("a2", "r2")])
        defer { server.stop() }
        let storage = GatedStorage(tokens(server))
        await storage.refuse(true)
        let events = Shared<[OAuthEvent]>([])
        let session = try makeSession(server, storage, events)
        await #expect { try await session.session(replacing: "a0") } throws: {
            ($0 as? FetchError)?.advice == .retryLater
        }
        // Even a call that was not refused waits for the storage.
        await #expect { try await session.session() } throws: { ($0 as? FetchError)?.advice == .retryLater }
        #expect(try await storage.load()?.refreshToken == "r0")
        await storage.refuse(false)
        #expect(try await session.session().accessToken == "a1")
        #expect(try await storage.load()?.refreshToken == "r1")
        // The old refresh token was not sent again.
        #expect(server.requests.count == 1)
        #expect(events.value.contains(.notSaved(errorType: "TestError")))
    }

    @Test func `a new access token alone is used even if it cannot be stored`() async throws {
        let server = try TinyServer([Self.grant("a1")])
        defer { server.stop() }
        let storage = GatedStorage(tokens(server))
        await storage.refuse(true)
        #expect(try await makeSession(server, storage).session(replacing: "a0").accessToken == "a1")
    }

    @Test func `a refused refresh token requires a log-in, and is not sent twice`() async throws {
        let server = try TinyServer { _, _ in .message(Self.invalid) }
        defer { server.stop() }
        let events = Shared<[OAuthEvent]>([])
        let storage = MemoryTokenStorage(tokens(server))
        let session = try makeSession(server, storage, events)
        for _ in 0..<3 {
            await #expect { try await session.session(replacing: "a0") } throws: {
                ($0 as? FetchError)?.code == .invalidGrant && ($0 as? FetchError)?.advice == .logIn
            }
        }
        #expect(server.requests.count == 1)
        #expect(events.value == [.logInNeeded])
        try await session.logIn(tokens(server, "b0", "s0"))
        #expect(try await session.session().accessToken == "b0")
    }

    @Test(arguments: ["invalid_client", "unauthorized_client", "inactive_user"])
    func `any refusal that a log-in alone can end is reported once, and not asked for again`(code: String) async throws
    {
        let server = try TinyServer { _, _ in .message(TinyServer.answer(400, #"{"error":"\#(code)"}"#)) }
        defer { server.stop() }
        let events = Shared<[OAuthEvent]>([])
        let session = try makeSession(server, MemoryTokenStorage(tokens(server)), events)
        for _ in 0..<3 {
            await #expect { try await session.session(replacing: "a0") } throws: {
                ($0 as? FetchError)?.advice == .logIn
            }
        }
        #expect(server.requests.count == 1)
        #expect(events.value == [.logInNeeded])
    }

    @Test func `without a refresh token the end of the access token ends the session`() async throws {
        let server = try TinyServer([])
        defer { server.stop() }
        let events = Shared<[OAuthEvent]>([])
        let session = try makeSession(server, MemoryTokenStorage(tokens(server, "a0", nil)), events)
        for _ in 0..<2 {
            await #expect { try await session.session(replacing: "a0") } throws: {
                ($0 as? FetchError)?.advice == .logIn
            }
        }
        #expect(events.value == [.logInNeeded])
    }

    @Test func `tokens that another process has renewed and stored are used`() async throws {
        let server = try TinyServer([Self.invalid])
        defer { server.stop() }
        let storage = MemoryTokenStorage(tokens(server))
        let session = try makeSession(server, storage)
        #expect(try await session.session().accessToken == "a0")
        await storage.save(tokens(server, "a1", "r1"))
        #expect(try await session.session(replacing: "a0").accessToken == "a1")
        #expect(server.requests.count == 1)
    }

    @Test func `a renewal without an answer does not log out, and is tried again`() async throws {
        let server = try TinyServer(["", TinyServer.answer(503, ""), "HTTP/1.1 200 X\r\n\r\n<html>", Self.grant("a1")])
        defer { server.stop() }
        let events = Shared<[OAuthEvent]>([])
        let session = try makeSession(server, MemoryTokenStorage(tokens(server)), events)
        for _ in 0..<3 {
            await #expect { try await session.session(replacing: "a0") } throws: {
                ($0 as? FetchError)?.advice == .retryLater
            }
        }
        #expect(try await session.session(replacing: "a0").accessToken == "a1")
        #expect(!events.value.contains(.logInNeeded))
    }

    @Test func `the org can move to another host`() async throws {
        let server = try TinyServer([Self.grant("a1", instance: "https://elsewhere.example.com")])
        defer { server.stop() }
        let events = Shared<[OAuthEvent]>([])
        let session = try makeSession(server, MemoryTokenStorage(tokens(server)), events)
        #expect(try await session.session(replacing: "a0").instance.host == "elsewhere.example.com")
        #expect(events.value == [.renewed, .moved(host: "elsewhere.example.com")])
    }

    @Test func `a log-out during a renewal is final`() async throws {
        let (server, gate) = try heldServer()
        defer { server.stop() }
        let storage = MemoryTokenStorage(tokens(server))
        let session = try makeSession(server, storage)
        let waiting = Task { try await session.session(replacing: "a0") }
        await gate.isReached()
        try await session.logOut()
        gate.open()
        await #expect { try await waiting.value } throws: { ($0 as? FetchError)?.advice == .logIn }
        #expect(await storage.load() == nil)
        await #expect { try await session.session() } throws: { ($0 as? FetchError)?.code == .noSession }
    }

    @Test func `the session of each log-in has its own number, which a renewal keeps`() async throws {
        let server = try TinyServer { number, _ in .message(Self.grant("n\(number)")) }
        defer { server.stop() }
        let session = try makeSession(server, MemoryTokenStorage(tokens(server)))
        let first = try await session.session().logIn
        #expect(try await session.session(replacing: "a0").logIn == first)
        try await session.logIn(tokens(server, "a0"))
        let second = try await session.session(replacing: "a0").logIn
        #expect(first != nil && second != nil && first != second)
    }

    @Test func `a cancelled call does not cancel the renewal of the others`() async throws {
        let (server, gate) = try heldServer()
        defer { server.stop() }
        let storage = MemoryTokenStorage(tokens(server))
        let session = try makeSession(server, storage)
        let stopped = Task { try await session.session(replacing: "a0") }
        await gate.isReached()
        stopped.cancel()
        await #expect { try await stopped.value } throws: { ($0 as? FetchError)?.code == .cancelled }
        gate.open()
        #expect(try await session.session(replacing: "a0").accessToken == "a1")
        #expect(await storage.load()?.refreshToken == "r1")
        #expect(server.requests.count == 1)
    }

    @Test func `a storage that cannot be read does not log out`() async throws {
        let server = try TinyServer([])
        defer { server.stop() }
        let storage = GatedStorage(tokens(server))
        await storage.refuseReading(true)
        let session = try makeSession(server, storage)
        await #expect { try await session.session() } throws: { ($0 as? FetchError)?.advice == .retryLater }
        await storage.refuseReading(false)
        #expect(try await session.session().accessToken == "a0")
    }

    @Test func `without a user or a refresh token a call fails without a request`() async throws {
        let server = try TinyServer([])
        defer { server.stop() }
        let nobody = try makeSession(server, MemoryTokenStorage())
        await #expect { try await nobody.session() } throws: { ($0 as? FetchError)?.advice == .logIn }
        let session = try makeSession(server, MemoryTokenStorage(tokens(server, "a0", nil)))
        #expect(try await session.session().accessToken == "a0")
        await #expect { try await session.session(replacing: "a0") } throws: { ($0 as? FetchError)?.advice == .logIn }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["http://login.example.com/token", "ftp://127.0.0.1/", "https://"])
    func `secrets are not sent unencrypted`(address: String) throws {
        let app = OAuthApp(tokenAddress: try #require(URL(string: address)), clientID: "c")
        #expect(throws: FetchError.self) { try OAuthSession(app, storage: MemoryTokenStorage()) }
    }

    @Test func `a redirect of the renewal is not followed`() async throws {
        let other = try TinyServer([Self.grant("stolen")])
        let server = try TinyServer([TinyServer.answer(307, "", "Location: \(other.url)/token\r\n")])
        defer {
            server.stop()
            other.stop()
        }
        let session = try makeSession(server, MemoryTokenStorage(tokens(server)))
        await #expect { try await session.session(replacing: "a0") } throws: {
            ($0 as? FetchError)?.code == .redirected
        }
        #expect(other.requests.isEmpty)
    }
}

/// A storage that fails on request.
private actor GatedStorage: TokenStorage {
    private var tokens: OAuthTokens?
    private var refuses = false
    private var refusesReading = false

    init(_ tokens: OAuthTokens) { self.tokens = tokens }

    func refuse(_ refuses: Bool) { self.refuses = refuses }
    func refuseReading(_ refuses: Bool) { refusesReading = refuses }

    func load() throws -> OAuthTokens? {
        if refusesReading { throw TestError() }
        return tokens
    }

    func save(_ tokens: OAuthTokens) throws {
        if refuses { throw TestError() }
        self.tokens = tokens
    }

    func clear() { tokens = nil }
}
