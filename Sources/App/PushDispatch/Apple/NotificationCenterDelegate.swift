#if canImport(UserNotifications) && (os(iOS) || os(macOS) || os(visionOS) || os(watchOS))
    public import Foundation
    public import UserNotifications

    /// Brings visible pushes to a dispatcher: those that come in while the app is in front, and those that the user taps.
    ///
    /// The notification centre keeps its delegate weakly, so the app has to keep it.
    public final class NotificationCenterDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
        private let dispatcher: PushDispatcher
        private let presentation: @Sendable (Push) -> UNNotificationPresentationOptions
        private let onResponse: @MainActor @Sendable (Push, _ actionIdentifier: String) -> Void

        /// - Parameters:
        ///   - presentation: How a push is shown while the app is in front; an empty set shows nothing.
        ///   - onResponse: What the user's tap, or an action of the notification, opens in the app; called before the push
        ///     goes to the dispatcher.
        public init(
            _ dispatcher: PushDispatcher,
            presentation: @escaping @Sendable (Push) -> UNNotificationPresentationOptions = { _ in [.banner, .sound] },
            onResponse: @escaping @MainActor @Sendable (Push, _ actionIdentifier: String) -> Void = { _, _ in }
        ) {
            self.dispatcher = dispatcher
            self.presentation = presentation
            self.onResponse = onResponse
        }

        // The system does not wait for the work here, only for the way to show it.
        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
        ) {
            let push = Push(userInfo: notification.request.content.userInfo)
            dispatcher.handle(push, from: .foreground) { _ in }
            completionHandler(presentation(push))
        }

        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping () -> Void
        ) {
            let completion = MainCompletion<Void>(call: completionHandler)
            let push = Push(userInfo: response.notification.request.content.userInfo)
            let action = response.actionIdentifier
            Task { @MainActor [dispatcher, onResponse] in
                onResponse(push, action)
                _ = await dispatcher.handle(push, from: .tap)
                completion.call(())
            }
        }
    }
#endif
