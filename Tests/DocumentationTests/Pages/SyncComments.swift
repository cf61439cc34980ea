import Foundation
import PushDispatch
import PushDispatchTesting
import SelectiveSync
import SelectiveSyncSQLite
import Testing

let testPush = Push(["aps": ["alert": "Hello"], "type": "TEST"])
let tokenAddress = URL(string: "https://login.example.com/services/oauth2/token")!

/// What an app has of its own where nothing of the package is wanted.
private struct Account: Sendable {
    func session(refused: String?) async throws -> ServerSession {
        ServerSession(instance: tokenAddress, accessToken: "token")
    }
}

struct SyncComments {
    @Test func `a client takes its session from the app`() async throws {
        let account = Account()
        let store = MemoryRecordStore()

        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name", "OwnerId", "Type"])],
            fetcher: RESTClient { refused in try await account.session(refused: refused) },
            store: store)
        let dispatcher = PushDispatcher(handler: sync, pending: store)

        #expect(await dispatcher.handle(testPush, from: .background) == .noData)
    }

    @Test func `a session tells what becomes of it`() async throws {
        let app = OAuthApp(tokenAddress: tokenAddress, clientID: "app")
        let keychain = MemoryTokenStorage()
        @Sendable func log(_ event: OAuthEvent) {}

        let session = try OAuthSession(app, storage: keychain) { event in log(event) }
        let client = RESTClient(session: session)

        // Nobody is logged in.
        await #expect(throws: FetchError.self) { try await client.unregister(#require(RecordID("0FGxx0000004CXR"))) }
    }

    @Test func `a registration tells what is missing`() async {
        let client = RESTClient { _ in ServerSession(instance: tokenAddress, accessToken: "token") }
        let preferences = MemoryRegistrationStorage()

        let registration = PushRegistration(bundleID: "com.example.agent", registrar: client, storage: preferences)

        #expect(await registration.loggedIn("ada") == nil)
        #expect(await registration.unregister() == .nothingToDo(.notRegistered))
    }

    @Test func `a route runs the regular sync`() async {
        let client = RESTClient { _ in throw URLError(.notConnectedToInternet) }
        let store = MemoryRecordStore()
        let sync = RecordSync(objects: [SyncObject("Account", fields: ["Name"])], fetcher: client, store: store)
        @Sendable func now() -> ServerDate { ServerDate(millisecondsSince1970: 0) }

        let routes = PushRoutes([
            PushRoute(.accountUpdate, handler: sync),
            .regularSync(sync, from: client) { now() },
        ])

        let dispatcher = PushDispatcher(routes: routes, pending: store)
        let push = Push(["aps": ["content-available": 1], "type": "REGULAR_SYNC", "object": "Account"])
        // The regular sync gets no session, so the push fails and the store keeps the request.
        #expect(await dispatcher.handle(push, from: .background) == .failed)
        #expect(await store.objectsToSync() == ["Account"])
    }

    @Test func `a damaged store is replaced`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("records.sqlite").path
        try SQLiteStore(file: file).close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes.replaceSubrange(100..., with: repeatElement(0x5a, count: bytes.count - 100))
        try bytes.write(to: URL(fileURLWithPath: file))
        var logged: [String] = []
        func log(_ text: String) { logged.append(text) }

        let (store, replacement) = try SQLiteStore.openOrReplace(file: file)
        if let replacement { log("The store was damaged: \(replacement)") }

        #expect(logged.count == 1)
        try store.close()
    }
}
