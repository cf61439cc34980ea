#if canImport(UIKit) && os(iOS)
    public import Foundation
    public import PushDispatch
    public import SyncAppCore
    public import UIKit
    import UserNotifications

    /// The three callbacks of an app, wired. An app's `@main` class inherits from it and says where its server is.
    @MainActor
    open class AppDelegate: UIResponder, UIApplicationDelegate {
        public private(set) var core: AppCore?
        private var notifications: NotificationCenterDelegate?

        /// The app's objects: database, server, session, with the user who is logged in.
        open func makeCore() throws -> AppCore { preconditionFailure("an app says here what it is made of") }

        /// Who is logged in; nil for nobody.
        open var user: String? { preconditionFailure("an app says here whom it remembers") }

        /// The store is not the user's: the former one's edits were never sent, or the disk is full.
        open func logInFailed(_ error: any Error) {}

        private func logIn(_ user: String, _ core: AppCore) async {
            do { try await core.logIn(user) } catch { logInFailed(error) }
        }

        /// The user acted on a push.
        open func open(_ push: Push, action: String) {}

        /// The device token, to be registered with the CRM after each launch and log-in.
        open func register(_ deviceToken: Data) {}

        // Before this returns the delegate has to be set: a tap that launched the app is told right after.
        open func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            guard let core = try? makeCore() else { return true }
            self.core = core
            let delegate = NotificationCenterDelegate(
                core.dispatcher, onResponse: { [weak self] push, action in self?.open(push, action: action) })
            UNUserNotificationCenter.current().delegate = delegate
            notifications = delegate
            application.registerForRemoteNotifications()
            // The store goes to the user of this launch, whoever had it before.
            if let user { Task { await logIn(user, core) } }
            return true
        }

        open func application(
            _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
        ) {
            register(deviceToken)
        }

        open func application(
            _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
            fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
        ) {
            guard let core else { return completionHandler(.failed) }
            core.dispatcher.receive(userInfo, fetchCompletionHandler: completionHandler)
        }
    }
#endif
