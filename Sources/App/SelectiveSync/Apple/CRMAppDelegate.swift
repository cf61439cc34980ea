#if canImport(UIKit) && (os(iOS) || os(visionOS))
    public import Foundation
    import PushDispatch
    public import UIKit

    /// A delegate for an app with a `CRMSync`. Inherit from it and override ``connect()``.
    ///
    /// An app whose delegate inherits from another class creates a ``UIKitConnection`` and calls it in the same four methods.
    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    open class CRMAppDelegate: UIResponder, UIApplicationDelegate {
        public private(set) var connection: UIKitConnection?

        /// Creates the connection. Called once, while the app is launched.
        open func connect() -> UIKitConnection { preconditionFailure("override connect()") }

        open func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            connection = connect()
            return true
        }

        open func application(
            _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
        ) {
            connection?.received(deviceToken: deviceToken)
        }

        open func application(
            _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
        ) {
            connection?.failedToRegister(error)
        }

        open func application(
            _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
            fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
        ) {
            guard let connection else { return completionHandler(.failed) }
            connection.crm.receive(userInfo, fetchCompletionHandler: completionHandler)
        }
    }
#endif
