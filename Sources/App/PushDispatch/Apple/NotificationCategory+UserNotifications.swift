#if canImport(UserNotifications) && (os(iOS) || os(macOS) || os(visionOS) || os(watchOS))
    public import UserNotifications

    extension NotificationCategory {
        /// For `UNUserNotificationCenter.setNotificationCategories`.
        public var unNotificationCategory: UNNotificationCategory {
            UNNotificationCategory(
                identifier: identifier,
                actions: actions.map { action in
                    UNNotificationAction(
                        identifier: action.identifier, title: action.title,
                        options: action.needsUnlockedDevice ? .authenticationRequired : .foreground)
                }, intentIdentifiers: [], options: [])
        }
    }
#endif
