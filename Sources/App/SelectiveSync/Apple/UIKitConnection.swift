#if canImport(UIKit) && (os(iOS) || os(visionOS))
    public import Foundation
    public import PushDispatch
    import UIKit
    public import UserNotifications

    /// Connects an app's delegate to its `CRMSync`: notifications and taps, permission and device token, foreground, background and
    /// first unlock (`AppEvents`), and refreshes by a background task (`BackgroundRefresh`).
    ///
    /// Create it before `application(_:didFinishLaunchingWithOptions:)` returns, once, and hold it as long as the process runs. It
    /// needs the background modes `remote-notification` and `fetch`, and the task's identifier in
    /// `BGTaskSchedulerPermittedIdentifiers`.
    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    @MainActor
    public final class UIKitConnection {
        public let crm: CRMSync
        /// To ask for permission at another moment than the first.
        public let setup: PushSetup
        private let notifications: NotificationCenterDelegate
        private let events: AppEvents
        private let activation: any NSObjectProtocol

        /// - Parameters:
        ///   - refreshTask: The identifier of the background task.
        ///   - presentation: See `NotificationCenterDelegate`. By default pushes that only name records show nothing while the
        ///     app is on screen.
        ///   - onTap: Called for a tap on a notification, or one of its actions.
        public init(
            _ crm: CRMSync, refreshTask: String, asksForPermission: Bool = true,
            presentation: (@Sendable (Push) -> UNNotificationPresentationOptions)? = nil,
            onEvent: @escaping @Sendable (PushSetupEvent) -> Void = { _ in },
            onTap: @escaping @MainActor @Sendable (PushTap) -> Void
        ) {
            let setup = PushSetup(UIKitSystem(), asksForPermission: asksForPermission, onEvent: onEvent)
            self.crm = crm
            self.setup = setup
            // The system reports a tap that has launched the app as soon as the launch ends.
            notifications = NotificationCenterDelegate(crm, presentation: presentation, onTap: onTap)
            UNUserNotificationCenter.current().delegate = notifications
            let refresh = BackgroundRefresh(identifier: refreshTask)
            refresh.register(crm)
            crm.start()
            events = AppEvents(crm, onBackground: { refresh.schedule() })
            activation = NotificationCenter.default.addObserver(
                forName: UIApplication.didBecomeActiveNotification, object: nil, queue: .main
            ) { _ in
                Task { await setup.becameActive() }
            }
            Task { await setup.launched() }
        }

        /// In `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
        public func received(deviceToken: Data) { Task { [crm] in await crm.received(deviceToken: deviceToken) } }

        /// In `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
        public func failedToRegister(_ error: any Error) { Task { [setup] in await setup.failedToRegister(error) } }
    }

    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    private struct UIKitSystem: PushSystem {
        @MainActor
        func registerForRemoteNotifications() async { UIApplication.shared.registerForRemoteNotifications() }

        func requestAuthorization() async throws -> Bool {
            try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge])
        }
    }
#endif
