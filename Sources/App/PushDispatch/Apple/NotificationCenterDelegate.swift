#if canImport(UserNotifications) && (os(iOS) || os(macOS) || os(visionOS) || os(watchOS))
    public import Foundation
    public import UserNotifications

    /// Passes visible pushes to a dispatcher: those that arrive while the app is on screen, and those that the user
    /// taps.
    ///
    /// The notification center holds its delegate weakly, so the app has to hold it.
    public final class NotificationCenterDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
        private let dispatcher: PushDispatcher
        private let presentation: @Sendable (Push) -> UNNotificationPresentationOptions
        private let onResponse: @MainActor @Sendable (Push, _ actionIdentifier: String) -> Void

        /// - Parameters:
        ///   - presentation: How a notification is shown while the app is on screen; an empty set shows nothing.
        ///   - onResponse: Called for a tap or an action of the notification, before the dispatcher gets the push. The
        ///     app can open a screen there.
        public init(
            _ dispatcher: PushDispatcher,
            presentation: @escaping @Sendable (Push) -> UNNotificationPresentationOptions = { _ in [.banner, .sound] },
            onResponse: @escaping @MainActor @Sendable (Push, _ actionIdentifier: String) -> Void = { _, _ in }
        ) {
            self.dispatcher = dispatcher
            self.presentation = presentation
            self.onResponse = onResponse
        }

        // The system waits only for the presentation here, not for the handler.
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
