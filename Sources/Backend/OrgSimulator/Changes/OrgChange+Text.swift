/// The reasons in an explanation, a sentence each.
extension OrgChange.Record {
    var why: String {
        switch decision {
        case nil: "\(object) has no trigger"
        case .fires(let tokens): "watched fields differ: \(tokens.joined(separator: ", "))"
        case .noWatchedField: "no watched field differs; it watches \(watched.joined(separator: ", "))"
        case .caseOnly(let fields):
            "only the case differs in \(fields.joined(separator: ", ")), and a comparison in Apex ignores case"
        case .held(let gate): "\(gate)"
        }
    }
}

extension PushTrigger.Target {
    /// As in `target` of a trigger.
    var name: String {
        switch self {
        case .modifier: "modifier"
        case .owner: "owner"
        case .user: "user"
        }
    }

    var receiver: String {
        switch self {
        case .modifier: "the last modifier"
        case .owner: "the owner"
        case .user: "one fixed user"
        }
    }
}

extension OrgChange.Obstacle: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pushOff: "push is off for the org"
        case .noApp: "there is no such app, or its push is off"
        case .noKey: "the app has no key"
        case .tooLong(let bytes): "the payload has \(bytes) bytes; 4096 are allowed"
        case .noRegistration: "the user has registered no device"
        case .noDevice: "no device of the user gets it"
        }
    }
}

extension OrgChange.Fate: CustomStringConvertible {
    package var description: String {
        switch self {
        case .sent: "the device is registered with the app"
        case .otherService: "the device is of another service than Apple's"
        case .otherApp(let bundleID): "the device is registered with another app, \(bundleID)"
        case .madeTheChange: "the device made the change, and the trigger leaves it out"
        case .hourlyLimit: "the limit of the clock hour is reached"
        case .tooLong(let bytes?): "the payload has \(bytes) bytes; 4096 are allowed"
        case .tooLong(nil): "the payload cannot be encrypted for the device"
        }
    }
}

extension OrgChange.Other {
    /// - Parameter triggers: Those that fired.
    func why(_ triggers: [OrgChange.Trigger]) -> String {
        let targets = triggers.map { "the trigger of \($0.object) sends to \($0.target.receiver)" }
        return targets.joined(separator: ", ") + (seesRecord ? "" : "; the user may not see the record either")
    }
}

extension OrgChange.Answer {
    /// What the org says where the gateway said nothing of the delivery.
    var unknownDelivery: String {
        switch status {
        case nil: "it did not get as far as a device"
        case 200 where uniqueID == nil: "the gateway's answer has no apns-unique-id to ask it with"
        case 200: "the org cannot ask this gateway; give the org --gateway-control"
        default: "a refused push reaches no device"
        }
    }
}
