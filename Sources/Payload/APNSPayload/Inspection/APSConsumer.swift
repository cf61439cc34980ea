import APNSModel
import PayloadJSON

/// Who reads the `aps` of a notification, on which it depends what its keys mean.
enum APSConsumer: Hashable, Sendable {
    /// The system, which shows a notification or wakes the app.
    case notifications
    /// The system, which starts, updates or ends a Live Activity.
    case liveActivity
    /// The system, which reloads widgets or controls.
    case reload
    /// At most the app itself; or the push type is one that nobody has documented.
    case app
}

extension InspectedNotification {
    /// The push type as the header has it, or else the suffix of the topic; nil where neither says it.
    var impliedPushType: PushType? {
        if let pushType { return pushType }
        guard let topic = envelope.topic else { return nil }
        if topic.hasPrefix("com.apple.mgmt.") { return .mdm }
        guard let suffix = Topic(topic)?.suffix, !suffix.isEmpty else { return nil }
        return PushType.known.first { $0.topicSuffix == suffix }
    }

    /// Where nothing else says it, a Live Activity is told by the keys that only it has.
    var consumer: APSConsumer {
        switch impliedPushType {
        case .alert, .background: .notifications
        case .liveactivity: .liveActivity
        case .controls, .widgets: .reload
        case nil: has(InspectedNotification.liveActivityKeys) ? .liveActivity : .notifications
        default: .app
        }
    }

    /// The keys that nobody else would have.
    private static let liveActivityKeys: KeySet = [.event, .contentState, .attributesType]

    /// There is no object in which a key of `aps` could be missing, which is the business of other rules.
    var hasUnreadableAPS: Bool { self[.aps] != nil && aps == nil || has(.rootOfOtherKind) }

    /// The topic is that of a website in Safari.
    var isForWebsite: Bool { envelope.topic?.hasPrefix("web.") ?? false }

    /// The topic is that of a Wallet pass.
    var isForPass: Bool { envelope.topic?.hasPrefix("pass.") ?? false }
}
