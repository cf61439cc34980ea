#if canImport(UserNotifications) && (os(iOS) || os(macOS) || os(visionOS) || os(watchOS))
    public import Foundation
    public import PushDispatch
    public import UserNotifications

    /// Passes opens of personalization pushes to their handler, and everything else to another delegate, which never sees
    /// them.
    ///
    /// The notification center holds its delegate weakly, so the app has to hold it. It may be called on any thread.
    public final class PersonalizedPushDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
        private let rules: PushOpenedRules
        private let open: @Sendable (Push, _ requestID: String, _ completion: @escaping @Sendable () -> Void) -> Void
        private let others: NotificationCenterDelegate

        /// - Parameter others: For all other pushes.
        public init<Route: Sendable>(_ handler: PushOpenedHandler<Route>, others: NotificationCenterDelegate) {
            rules = handler.rules
            open = { push, requestID, completion in
                handler.opened(push, requestID: requestID) { _ in completion() }
            }
            self.others = others
        }

        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
        ) {
            guard rules.matches(Push(userInfo: notification.request.content.userInfo)) else {
                return others.userNotificationCenter(
                    center, willPresent: notification, withCompletionHandler: completionHandler)
            }
            completionHandler([.banner, .sound])
        }

        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            let request = response.notification.request
            let push = Push(userInfo: request.content.userInfo)
            guard rules.matches(push) else {
                return others.userNotificationCenter(
                    center, didReceive: response, withCompletionHandler: completionHandler)
            }
            guard rules.opens(PushTap.Action(identifier: response.actionIdentifier)) else {
                return completionHandler()
            }
            // Pushes with one collapse id have one identifier. The date tells them apart, and is the same for a repeated call.
            let date = Int64(response.notification.date.timeIntervalSince1970 * 1_000)
            open(push, "\(request.identifier)@\(date)") { Task { @MainActor in completionHandler() } }
        }
    }
#endif
