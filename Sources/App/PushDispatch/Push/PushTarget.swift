/// What a push is about: the screen to open for a tap on it.
public enum PushTarget: Hashable, Sendable {
    case record(object: String, RecordID)
    /// Two or more records of one object.
    case records(object: String, [RecordID])
    /// An object as a whole.
    case object(String)
    /// Something that names no record. The app reads the payload by itself.
    case message(type: String)
    /// The type is not registered, or the payload cannot be read.
    case unknown

    init(_ hint: Hint) {
        switch (hint.object.isEmpty, hint.records.count) {
        case (true, _): self = .message(type: hint.type)
        case (false, 0): self = .object(hint.object)
        case (false, 1): self = .record(object: hint.object, hint.records[0])
        case (false, _): self = .records(object: hint.object, hint.records)
        }
    }
}

/// What the user did with a notification, and what it is about.
public struct PushTap: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        /// The user tapped the notification itself.
        case open
        case dismiss
        /// One of its actions, with the identifier of ``NotificationCategory/Action``.
        case custom(String)

        /// - Parameter identifier: `UNNotificationResponse.actionIdentifier`.
        public init(identifier: String) {
            switch identifier {
            case Action.openIdentifier: self = .open
            case Action.dismissIdentifier: self = .dismiss
            default: self = .custom(identifier)
            }
        }

        /// The identifier that the system uses.
        public var identifier: String {
            switch self {
            case .open: Action.openIdentifier
            case .dismiss: Action.dismissIdentifier
            case .custom(let identifier): identifier
            }
        }

        // The values of UNNotificationDefaultActionIdentifier and UNNotificationDismissActionIdentifier.
        private static let openIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
        private static let dismissIdentifier = "com.apple.UNNotificationDismissActionIdentifier"
    }

    public var target: PushTarget
    public var action: Action
    public var push: Push

    public init(_ push: Push, target: PushTarget, action: Action) {
        self.push = push
        self.target = target
        self.action = action
    }
}
