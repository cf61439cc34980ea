import APNSModel

/// What a device does with a notification, by push type (docs/reference/apns.md 6.6 to 6.8 and 13).
struct DeviceConduct {
    let facts: PayloadFacts
    let pushType: PushType?
    /// The value of `apns-priority`; nil where it is absent or unknown.
    let priority: String?
    /// Whether APNs refuses it, so that no device gets it.
    let isRefused: Bool

    init(_ facts: PayloadFacts, _ pushType: PushType?, priority: String?, isRefused: Bool) {
        (self.facts, self.pushType, self.priority, self.isRefused) = (facts, pushType, priority, isRefused)
    }

    /// A device in low power mode groups what has not the priority 10.
    var isImmediate: Bool { priority == nil ? pushType != .background : priority == "10" }

    func text(in situation: DeviceSituation) -> String {
        guard !isRefused else { return "Nothing arrives, because APNs refuses it." }
        return switch pushType {
        case .alert: alert(in: situation)
        case .background: background(in: situation)
        case .liveactivity: liveActivity(in: situation)
        case .voip: voip(in: situation)
        case nil where facts.has("content-changed"):
            "It depends on the push type, which this payload does not tell: with controls or widgets the system reloads those of "
                + "the app."
        case nil: "It depends on the push type, which this payload does not tell."
        default: other(in: situation)
        }
    }

    var notes: [String] {
        guard !isRefused else { return [] }
        var notes: [String]
        switch pushType {
        case .alert: notes = alertNotes
        case .background: notes = backgroundNotes
        case .liveactivity: notes = liveActivityNotes
        case .voip: notes = voipNotes
        default: notes = otherNotes
        }
        if !facts.customKeys.isEmpty, facts.hasAPS, pushType == .alert || pushType == .background {
            let keys = facts.customKeys.prefix(8).map { ShownText.quoted($0) }.joined(separator: ", ")
            let more = facts.customKeys.count > 8 ? " and \(facts.customKeys.count - 8) more" : ""
            notes.append("The app finds its own keys beside aps in userInfo: \(keys)\(more).")
        }
        return notes
    }

    /// What a push without the priority 10 waits for in low power mode; `otherwise` for one with it.
    func lowPower(_ otherwise: String) -> String {
        switch priority {
        case "1":
            "With priority 1 it waits until the mode ends, or until a notification of priority 10 wakes the device."
        case "5": "With priority 5 it comes later, together with others; with priority 10 it would come at once."
        default: otherwise
        }
    }
}
