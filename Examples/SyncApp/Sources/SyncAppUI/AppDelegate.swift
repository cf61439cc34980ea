#if canImport(UIKit) && os(iOS)
    import Foundation
    public import SelectiveSync
    import SelectiveSyncSQLite
    import UIKit

    // In the project of Xcode all of the app is one module.
    #if SWIFT_PACKAGE
        public import SyncAppCore
    #endif

    /// Connects the app to the system and to its CRM.
    public final class AppDelegate: CRMAppDelegate {
        public nonisolated static let log = AppLog { NSLog("%@", $0) }
        public static let reminders = Reminders()
        public static let router = Router()
        public static let crm = makeCRM()

        public override func connect() -> UIKitConnection {
            UIKitConnection(
                AppDelegate.crm, refreshTask: "com.example.SyncApp.refresh", onEvent: { AppDelegate.log.add($0) },
                onTap: { AppDelegate.router.open($0) })
        }

        private static func makeCRM() -> CRMSync {
            let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
            var configuration = CRMSync.Configuration.syncApp(
                tokens: KeychainTokenStorage(service: "com.example.SyncApp"),
                store: .sqlite(in: support.appendingPathComponent("CRM"), indexes: AccountList.indexes),
                reminders: reminders, log: log)
            configuration.network = PathMonitor()
            configuration.backgroundTime = AppBackgroundTime()
            do { return try CRMSync(configuration) } catch { preconditionFailure("\(error)") }
        }
    }
#endif
