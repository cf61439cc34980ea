import Foundation
import PushDispatch
public import SelectiveSync

extension CRMSync.Configuration {
    /// What this app syncs, and with which CRM.
    public static func syncApp(
        tokens: any TokenStorage, store: StoreOpener, reminders: Reminders, log: AppLog
    ) -> CRMSync.Configuration {
        // Pictures of visits are large, so they wait for Wi-Fi.
        var visits = SyncObject("Visit__c", fields: ["Name", "StartsAt__c", "Picture__c"])
        visits.network = .unmetered
        let login = URL(string: "https://login.example.com/services/oauth2/token")!
        var configuration = CRMSync.Configuration(
            app: OAuthApp(tokenAddress: login, clientID: "SyncApp"), tokens: tokens, store: store,
            objects: [
                SyncObject("Account", fields: ["Name", "OwnerId", "Type"]),
                SyncObject("Case", fields: ["Subject", "Status"]), visits,
            ])
        // Each object has this field in the CRM, a unique external id. Without it, a lost answer can create a record twice.
        for index in configuration.objects.indices { configuration.objects[index].externalIDField = "DeviceKey__c" }
        configuration.types.register(.caseUpdate)
        configuration.routes = [.visitReminder { try await reminders.add($0) }]
        configuration.dispatch.userKey = "userId"
        configuration.registration = CRMSync.Registration(bundleID: "com.example.SyncApp")
        configuration.onEvent = { log.add($0) }
        return configuration
    }
}
