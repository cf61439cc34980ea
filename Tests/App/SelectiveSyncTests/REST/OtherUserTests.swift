import Foundation
import PushDispatch
import SelectiveSync
import Testing

/// The user changes while a call is under way.
@Suite(.serialized)
struct OtherUserTests {
    private func tokens(_ server: TinyServer, _ user: String) -> OAuthTokens {
        OAuthTokens(instance: server.url, accessToken: "access of \(user)", refreshToken: "refresh", user: user)
    }

    private func session(_ server: TinyServer, _ user: String?) throws -> OAuthSession {
        try OAuthSession(
            OAuthApp(tokenAddress: server.url.appendingPathComponent("token"), clientID: "c"),
            storage: MemoryTokenStorage(user.map { tokens(server, $0) }))
    }

    private let write = RecordWrite.update(.test(1), ["Name": "secret of ada"], unmodifiedSince: nil)

    private func expectOtherUser(_ error: any Error) -> Bool { (error as? FetchError)?.code == .otherUser }

    @Test func `a call that was refused is not repeated with the token of another user`() async throws {
        let gate = ServerGate()
        let server = try TinyServer { number, _ in
            guard number == 0 else { return .message(TinyServer.answer(204, "")) }
            gate.hold()
            return .message(TinyServer.answer(401, #"[{"errorCode":"INVALID_SESSION_ID","message":"x"}]"#))
        }
        defer { server.stop() }
        let session = try session(server, "ada")
        let client = RESTClient(session: session)
        let call = Task { try await client.write([write], of: "Account", timeoutMilliseconds: 20_000) }
        await gate.isReached()
        try await session.logIn(tokens(server, "bea"))
        gate.open()
        await #expect(performing: { try await call.value }, throws: expectOtherUser)
        #expect(server.requests.count == 1)
        #expect(!server.requests.contains { $0.contains("access of bea") })
    }

    @Test func `the next page of a fetch with a filter is not asked for with the token of another user`() async throws {
        let gate = ServerGate()
        let page =
            #"{"totalSize":2,"done":false,"nextRecordsUrl":"/services/data/v66.0/query/01gD0000002HU6KIAW-1","#
            + #""records":[{"attributes":{"type":"Account"},"Id":"\#(RecordID.test(1))"}]}"#
        let server = try TinyServer { number, _ in
            if number == 0 { gate.hold() }
            return .message(TinyServer.answer(200, page, "Content-Type: application/json;charset=UTF-8\r\n"))
        }
        defer { server.stop() }
        let session = try session(server, "ada")
        let client = RESTClient(session: session)
        let request = FetchRequest(
            object: "Account", records: [.test(1), .test(2)], fields: ["Id"], filter: .field("Name", .equal, "A"),
            timeoutMilliseconds: 20_000)
        let call = Task { try await client.fetch(request) }
        await gate.isReached()
        try await session.logIn(tokens(server, "bea"))
        gate.open()
        await #expect(performing: { try await call.value }, throws: expectOtherUser)
        #expect(server.requests.count == 1)
    }

    @Test func `a call for one user is not sent in the session of another`() async throws {
        let server = try TinyServer([TinyServer.answer(204, "")])
        defer { server.stop() }
        let session = try session(server, "bea")
        let client = RESTClient(session: session)
        await #expect(
            performing: {
                try await client.limited(to: "ada").write([write], of: "Account", timeoutMilliseconds: 20_000)
            }, throws: expectOtherUser)
        #expect(server.requests.isEmpty)
        _ = try await client.limited(to: "bea").write([write], of: "Account", timeoutMilliseconds: 20_000)
        #expect(server.requests.count == 1)
    }

    @Test func `tokens without a user do not limit who uses them`() async throws {
        let server = try TinyServer([TinyServer.answer(204, "")])
        defer { server.stop() }
        var unnamed = tokens(server, "ada")
        unnamed.user = nil
        let session = try session(server, nil)
        try await session.logIn(unnamed)
        _ = try await RESTClient(session: session).limited(to: "ada").write(
            [write], of: "Account", timeoutMilliseconds: 20_000)
        #expect(server.requests.count == 1)
    }

    /// Notes for which user each call is made.
    private struct NotingServer: RecordSource, RecordUploader {
        let server: CRMServer
        let users: Shared<[String]>
        var user = "nobody"

        func limited(to user: String) -> NotingServer {
            var copy = self
            copy.user = user
            return copy
        }
        private func note() { users.change { $0.append(user) } }
        func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
            note()
            return try await server.fetch(request)
        }
        func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage {
            note()
            return try await server.query(request)
        }
        func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions {
            note()
            return try await server.deletions(request)
        }
        func write(
            _ writes: [RecordWrite], of object: String, timeoutMilliseconds: Int64
        ) async throws(FetchError) -> [UploadReply] {
            note()
            return try await server.write(writes, of: object, timeoutMilliseconds: timeoutMilliseconds)
        }
        func find(_ lookup: RecordLookup) async throws(FetchError) -> ServerRecord? { nil }
    }

    @Test func `a sync makes every call for its user`() async throws {
        let users = Shared<[String]>([])
        let world = try CRMWorld { configuration in
            configuration.server = NotingServer(server: configuration.server as! CRMServer, users: users)
        }
        await world.server.put(1, "A")
        #expect(await world.crm.handle(CRMWorld.push(1), from: .background) == .newData)
        try await world.crm.edit(.server(.test(1)), of: "Account") { $0["Name"] = "edited" }
        #expect(await world.crm.refresh().isDone)
        #expect(users.value.count >= 5 && Set(users.value) == [CRMWorld.user])
    }
}
