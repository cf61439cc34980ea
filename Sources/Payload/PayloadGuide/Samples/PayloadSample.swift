package import APNSModel
package import APNSPayload

/// A notification of a push type to begin with. Where the push type is known, the validator has no finding about it.
package struct PayloadSample: Sendable {
    /// What happens to the Live Activity.
    package enum Event: String, Hashable, Sendable, CaseIterable { case start, update, end }

    package let pushType: PushType
    private let push: any PushPayload

    /// - Parameters:
    ///   - event: For a Live Activity only.
    ///   - now: The time of the event of a Live Activity.
    /// - Returns: Nil for a push type that Apple does not document.
    package init?(_ pushType: PushType, event: Event = .update, now: PushDate) {
        guard let push = PayloadSample.push(pushType, event, now) else { return nil }
        self.pushType = pushType
        self.push = push
    }

    /// The payload in compact JSON.
    package var payload: [UInt8] { push.encoded() }

    /// The notification with the headers that its push type needs.
    ///
    /// - Parameters:
    ///   - deviceToken: Nil leaves it out.
    ///   - app: The bundle id of the app; for an MDM push the whole topic.
    package func envelope(to deviceToken: DeviceToken?, of app: Topic) -> Envelope {
        var envelope = Envelope(push.notification(to: deviceToken ?? DeviceToken(recorded: ""), of: app))
        envelope.token = deviceToken?.hex
        return envelope
    }

    /// The topic of the example app.
    package static func exampleTopic(for pushType: PushType) -> Topic {
        Topic(
            recorded: pushType == .mdm
                ? "com.apple.mgmt.External.9d1f3f0a-5c2e-4b7d-8e16-0f2a3b4c5d6e" : "com.example.agent")
    }

    /// What a user has to replace, and what the headers have to be.
    package var advice: String {
        var parts = [PayloadSample.replaced[pushType] ?? "Replace the custom keys by those of the app."]
        switch pushType {
        case .mdm: parts.append("The topic is the UID of the MDM push certificate.")
        default:
            let suffix = pushType.topicSuffix ?? ""
            parts.append("The topic is the bundle id" + (suffix.isEmpty ? "." : " followed by \(suffix)."))
        }
        switch pushType {
        case .background: parts.append("It needs the priority 5.")
        case .voip, .pushtotalk: parts.append("Send it with priority 10 and expiration 0.")
        default: break
        }
        return parts.joined(separator: " ")
    }

    private static let replaced: [PushType: String] = [
        .alert: "Replace texts, badge and custom keys.",
        .controls: "It has no other keys.",
        .fileprovider: "container-identifier is the id of an item, or a constant as here; domain names one of several.",
        .liveactivity:
            "content-state has to decode into the ContentState of the app's attributes, in which dates are seconds since 2001; "
            + "timestamp is Unix seconds, and must be new in each push.",
        .location: "aps may be empty, and custom keys are optional.",
        .mdm: "mdm is the push magic that the device sent when it enrolled; nothing else belongs here.",
        .widgets: "It has no other keys.",
    ]

    private static func push(_ pushType: PushType, _ event: Event, _ now: PushDate) -> (any PushPayload)? {
        switch pushType {
        case .alert:
            AlertPush(
                Alert(title: "Parcel", body: "It is at your door"), badge: 1, sound: .standard,
                custom: ["parcel": "4711"])
        case .background: BackgroundPush(custom: ["record": "4711"])
        case .complication: ComplicationPush(["temperature": 21])
        case .controls: ControlsPush()
        case .fileprovider: FileProviderPush(.workingSet, domain: "documents")
        case .liveactivity: liveActivity(event, now)
        case .location: LocationPush()
        case .mdm: MDMPush(pushMagic: "5d8e1c5a-9b52-4f0e-8a3c-6f1d2e3b4a59")
        case .pushtotalk: PushToTalkPush(["speaker": "Anna"])
        case .voip: VoIPPush(["call": "3f2b8c6e-7a1d-4e5f-9c0b-1a2d3e4f5a6b", "caller": "Anna"])
        case .widgets: WidgetsPush()
        default: nil
        }
    }

    private static func liveActivity(_ event: Event, _ now: PushDate) -> any PushPayload {
        let state: [String: PayloadValue] = ["status": "on the way", "stops": 3]
        switch event {
        case .start:
            return LiveActivityStart(
                at: now, attributesType: "DeliveryAttributes", attributes: ["order": "4711"], contentState: state,
                alert: LiveActivityAlert(title: "Parcel", body: "It is on the way"))
        case .update: return LiveActivityUpdate(at: now, contentState: state)
        case .end: return LiveActivityEnd(at: now, contentState: ["status": "delivered", "stops": 0])
        }
    }
}

extension PushPayload {
    fileprivate func notification(to deviceToken: DeviceToken, of app: Topic) -> APNSNotification {
        APNSNotification(self, to: deviceToken, of: app)
    }
}
