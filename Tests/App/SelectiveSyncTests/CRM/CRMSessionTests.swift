import Foundation
import PushDispatch
import SelectiveSync
import Testing

/// With the real session and REST client, over HTTP.
@Suite(.serialized)
struct CRMSessionTests {
    private func configuration(_ server: TinyServer, _ store: MemoryRecordStore) -> CRMSync.Configuration {
        CRMSync.Configuration(
            app: OAuthApp(tokenAddress: server.url.appendingPathComponent("token"), clientID: "app"),
            tokens: MemoryTokenStorage(
                OAuthTokens(instance: server.url, accessToken: "old", refreshToken: "refresh", user: "ada")),
            store: StoreOpener(store), objects: [SyncObject("Account", fields: ["Name"])])
    }

    @Test func `a session that has expired is shown, and a log-in ends that`() async throws {
        let server = try TinyServer { _, request in
            if request.hasPrefix("POST /token") {
                return .message(TinyServer.answer(400, #"{"error":"invalid_grant"}"#))
            }
            guard request.contains("Bearer new") else {
                return .message(TinyServer.answer(401, #"[{"errorCode":"INVALID_SESSION_ID","message":"x"}]"#))
            }
            let id = RecordID.test(1)
            return .message(
                TinyServer.answer(
                    200,
                    """
                    [{"attributes":{"type":"Account"},"Id":"\(id)","Name":"A",
                    "LastModifiedDate":"2026-01-01T00:00:00.000+0000","SystemModstamp":"2026-01-01T00:00:00.000+0000"}]
                    """))
        }
        defer { server.stop() }
        let store = MemoryRecordStore()
        let crm = try CRMSync(configuration(server, store))
        #expect(await crm.handle(CRMWorld.push(1), from: .background) == .failed)
        #expect(crm.status.isSessionExpired && crm.status.user == "ada")
        // Edits are still possible.
        let key = try await crm.create(["Name": "new"], of: "Account")
        try await crm.delete(key, of: "Account")
        try await crm.logIn("ada", tokens: OAuthTokens(instance: server.url, accessToken: "new", refreshToken: "r"))
        #expect(crm.status.phase == .ready(user: "ada"))
        #expect(await crm.handle(CRMWorld.push(1), from: .tap) == .newData)
        #expect(await store.record(.test(1), of: "Account")?.fields["Name"] == "A")
    }
}
