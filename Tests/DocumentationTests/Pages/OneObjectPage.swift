import Foundation
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import Testing

@Test func `one object owns the parts`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let tokenFile = folder.appendingPathComponent("tokens.json")

    var accounts = SyncObject("Account", fields: ["Name", "OwnerId", "Type"])
    accounts.externalIDField = "DeviceKey__c"
    var configuration = CRMSync.Configuration(
        app: OAuthApp(tokenAddress: tokenAddress, clientID: "app"), tokens: FileTokenStorage(file: tokenFile),
        store: .sqlite(in: folder), objects: [accounts])
    configuration.dispatch.userKey = "userId"  // pushes for another user are ignored
    let crm = try CRMSync(configuration)
    crm.start()

    #expect(await crm.handle(testPush, from: .background) == .noData)
    #expect(crm.status.phase == .loggedOut)
}

/// Follows the store until its task is cancelled, so it is compiled and not run.
func follow(_ crm: CRMSync, show: ([RecordConflict]) -> Void) async throws {
    let store = try await crm.store()
    for try await conflicts in store.observeConflicts(of: "Account") { show(conflicts) }
}
