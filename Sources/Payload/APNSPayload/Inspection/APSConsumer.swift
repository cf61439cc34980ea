import APNSModel
import PayloadJSON

/// What uses the `aps` of a notification. The meaning of its keys depends on this.
enum APSConsumer: Hashable, Sendable {
    /// The system shows a notification or wakes the app.
    case notifications
    /// The system starts, updates or ends a Live Activity.
    case liveActivity
    /// The system reloads widgets or controls.
    case reload
    /// The app itself, if anything; also for an undocumented push type.
    case app
}

extension InspectedNotification {
    /// The push type of the header, otherwise that of the topic's suffix; nil without either.
    var impliedPushType: PushType? {
        if let pushType { return pushType }
        guard let topic = envelope.topic else { return nil }
        if topic.hasPrefix("com.apple.mgmt.") { return .mdm }
        guard let suffix = Topic(topic)?.suffix, !suffix.isEmpty else { return nil }
        return PushType.known.first { $0.topicSuffix == suffix }
    }

    /// Without a push type, a Live Activity is recognized by the keys that only it has.
    var consumer: APSConsumer {
        switch impliedPushType {
        case .alert, .background: .notifications
        case .liveactivity: .liveActivity
        case .controls, .widgets: .reload
        case nil: has(InspectedNotification.liveActivityKeys) ? .liveActivity : .notifications
        default: .app
        }
    }

    /// The keys that only a Live Activity has.
    private static let liveActivityKeys: KeySet = [.event, .contentState, .attributesType]

    /// Whether `aps` or the root is not an object. Other rules report this, so no key of `aps` is reported as missing.
    var hasUnreadableAPS: Bool { self[.aps] != nil && aps == nil || has(.rootOfOtherKind) }

    /// Whether the topic is that of a website in Safari.
    var isForWebsite: Bool { envelope.topic?.hasPrefix("web.") ?? false }

    /// Whether the topic is that of a Wallet pass.
    var isForPass: Bool { envelope.topic?.hasPrefix("pass.") ?? false }
}
