#if canImport(UserNotifications) && (os(iOS) || os(macOS) || os(visionOS) || os(watchOS))
    public import Foundation
    public import UserNotifications

    /// Passes visible pushes to a dispatcher or a `CRMSync`: those that arrive while the app is on screen, and those that
    /// the user taps.
    ///
    /// The notification center holds its delegate weakly, so the app has to hold it. It may be called on any thread.
    public final class NotificationCenterDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
        private let receiver: any PushReceiver
        private let presentation: @Sendable (Push) -> UNNotificationPresentationOptions
        private let onTap: @MainActor @Sendable (PushTap) -> Void

        /// - Parameters:
        ///   - presentation: How a notification is shown while the app is on screen; an empty set shows nothing. Nil shows
        ///     banner and sound, and nothing for the types that only name records.
        ///   - onTap: Called for a tap or an action of the notification, without waiting for the push to be handled. The app
        ///     can open a screen there.
        public init(
            _ receiver: any PushReceiver,
            presentation: (@Sendable (Push) -> UNNotificationPresentationOptions)? = nil,
            onTap: @escaping @MainActor @Sendable (PushTap) -> Void = { _ in }
        ) {
            self.receiver = receiver
            self.presentation =
                presentation ?? { receiver.isShownInForeground($0) ? [.banner, .sound] : [] }
            self.onTap = onTap
        }

        /// A delegate whose closure gets the push and the identifier of the action as they are.
        public convenience init(
            _ receiver: any PushReceiver,
            presentation: (@Sendable (Push) -> UNNotificationPresentationOptions)? = nil,
            onResponse: @escaping @MainActor @Sendable (Push, _ actionIdentifier: String) -> Void
        ) {
            self.init(receiver, presentation: presentation) { tap in onResponse(tap.push, tap.action.identifier) }
        }

        // The system waits only for the presentation here, not for the handler.
        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
        ) {
            let push = Push(userInfo: notification.request.content.userInfo)
            receiver.handle(push, from: .foreground) { _ in }
            completionHandler(presentation(push))
        }

        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            let push = Push(userInfo: response.notification.request.content.userInfo)
            let action = PushTap.Action(identifier: response.actionIdentifier)
            // The time of the push counts from here.
            receiver.handle(push, from: .tap) { _ in Task { @MainActor in completionHandler() } }
            let tap = PushTap(push, target: receiver.target(of: push), action: action)
            Task { @MainActor [onTap] in onTap(tap) }
        }
    }
#endif
