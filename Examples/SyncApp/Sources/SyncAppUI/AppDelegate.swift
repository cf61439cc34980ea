#if canImport(UIKit) && os(iOS)
    public import Foundation
    public import PushDispatch
    public import SyncAppCore
    public import UIKit
    import UserNotifications

    /// The three callbacks of an app, connected to its dispatcher. An app's `@main` class inherits from it.
    @MainActor
    open class AppDelegate: UIResponder, UIApplicationDelegate {
        public private(set) var core: AppCore?
        private var notifications: NotificationCenterDelegate?

        /// Override: creates the app's objects, for the user who is logged in.
        open func makeCore() throws -> AppCore { preconditionFailure("override makeCore()") }

        /// Override: the user who is logged in; nil if none is.
        open var user: String? { preconditionFailure("override user") }

        /// The store could not be given to the user: edits of the previous user were not uploaded, or the disk is full.
        open func logInFailed(_ error: any Error) {}

        private func logIn(_ user: String, _ core: AppCore) async {
            do { try await core.logIn(user) } catch { logInFailed(error) }
        }

        /// The user tapped a notification or chose one of its actions.
        open func open(_ push: Push, action: String) {}

        /// Registers the device token with the CRM, after each launch and log-in.
        open func register(_ deviceToken: Data) {}

        // The delegate has to be set before this returns: the system reports a tap that launched the app right after.
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
            // The store may still belong to another user.
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
