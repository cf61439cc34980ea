import PushDispatch
import SelectiveSync
import Testing

@Test func `store, session, client, sync and dispatcher fit`() async throws {
    let keychain = MemoryTokenStorage()

    let store = MemoryRecordStore()
    let session = try OAuthSession(
        OAuthApp(tokenAddress: tokenAddress, clientID: "app"), storage: keychain)
    let client = RESTClient(session: session)
    let sync = RecordSync(
        objects: [SyncObject("Account", fields: ["Name", "OwnerId", "Type"])], fetcher: client, store: store)
    let dispatcher = PushDispatcher(handler: sync, pending: store)

    #expect(await dispatcher.handle(testPush, from: .background) == .noData)
}
