package import APNSModel
package import APNSPayload

/// The push type of a notification, and where it is known from.
package struct PushTypeGuess: Hashable, Sendable {
    package enum Origin: String, Hashable, Sendable {
        case header, topic, payload, unknown
    }

    package let pushType: PushType?
    package let origin: Origin

    /// The header decides, then the suffix of the topic, then keys that only one push type has.
    package init(_ envelope: Envelope, _ facts: PayloadFacts) {
        if let text = envelope.pushType {
            self.init(PushType(rawValue: text), .header)
        } else if let topic = envelope.topic, let pushType = PushTypeGuess.pushType(ofTopic: topic) {
            self.init(pushType, .topic)
        } else if let pushType = PushTypeGuess.pushType(of: facts) {
            self.init(pushType, .payload)
        } else {
            self.init(nil, .unknown)
        }
    }

    private init(_ pushType: PushType?, _ origin: Origin) { (self.pushType, self.origin) = (pushType, origin) }

    private static func pushType(ofTopic topic: String) -> PushType? {
        if topic.hasPrefix("com.apple.mgmt.") { return .mdm }
        guard let topic = Topic(topic), !topic.suffix.isEmpty else { return nil }
        return topic.pushTypes.first
    }

    /// A payload without `aps` may be of several push types, and so may an empty `aps`. `content-changed` is for controls and for
    /// widgets.
    static func pushType(of facts: PayloadFacts) -> PushType? {
        if facts.hasAPS {
            if facts.event != nil || facts.has("content-state") || facts.has("attributes-type") { return .liveactivity }
            if facts.showsAnything || facts.has("url-args") { return .alert }
            return facts.isContentAvailable ? .background : nil
        }
        if facts.rootKeys == ["mdm"] { return .mdm }
        if facts.rootKeys.contains("container-identifier") { return .fileprovider }
        return nil
    }
}
