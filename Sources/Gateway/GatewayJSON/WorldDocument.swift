package import APNSModel
package import GatewayCore
package import PayloadJSON

/// A world as a file: one JSON object with the keys that a configuration file has for a world, and `state` with what happened
/// in it.
package enum WorldDocument {
    /// The form of the file.
    package static let version = 1
    /// The keys beside those of the configuration.
    package static let keys = ["apns-world", "name", "state"]
    /// The largest file that a gateway reads, in bytes.
    package static let maximumBytes = 64 << 20

    /// - Parameter state: JSON; nil exports what the world is configured with, and its devices without deliveries.
    package static func json(
        _ world: borrowing World, name: WorldName, environment: APNSEnvironment, state: [UInt8]?, real: Int64
    ) -> JSONText {
        let (settings, clock, now) = (world.settings, world.clock, world.now(real: real))
        let (apps, keys, faults) = (
            world.registeredApps, world.registeredKeys, world.activeFaults(real: real).filter { $0.rule.isFor(name) }
        )
        var devices: [Device] = []
        if state == nil {
            for environment in APNSEnvironment.allCases {
                devices += world.devices(in: environment, limit: .max).devices
            }
        }
        return .object { object in
            object.add("apns-world", version)
            object.add("name", name.text)
            object.add("environment", environment.rawValue)
            object.add("seed", settings.seed)
            switch clock.mode {
            case .real: object.add("clock", "real")
            case .manual: object.add("clock", WorldClock.json(.manual, now: now))
            }
            object.addSettings(settings)
            object.add("apps", .array(apps.map(\.json)))
            object.add("keys", .array(keys.map(\.json)))
            object.add("faults", .array(faults.map(\.ruleJSON)))
            if let state {
                object.add("state", json: state)
            } else {
                object.add("registered-devices", .array(devices.map(\.registrationJSON)))
            }
        }
    }
}

extension JSONText {
    fileprivate mutating func addSettings(_ settings: WorldSettings) {
        for (name, value) in settings.members { add(name: name, json: value.bytes) }
        add("retain", settings.retain)
        add("retain-bytes", settings.maximumJournalBytes)
        add(
            "limits",
            .object { object in
                for (name, field) in WorldSettings.limits {
                    object.add(name: name, json: JSONText(number: Int64(settings[keyPath: field])).bytes)
                }
            })
    }
}

extension ActiveFault {
    /// The rule as it is sent, with its id and what is left of its count. It names no world, so that a copy of the world keeps it.
    fileprivate var ruleJSON: JSONText {
        var match = rule.match
        match.world = nil
        return .object { object in
            object.add("id", id)
            object.add("match", match.json)
            object.add("effect", rule.effect.json)
            object.add("probability", rule.probability)
            if let remaining { object.add("count", remaining) }
            if let until = rule.until { object.add("until", time: until) }
        }
    }
}

extension Device {
    /// As an element of `registered-devices`, without what a new device has.
    fileprivate var registrationJSON: JSONText {
        .object { object in
            object.add("topic", topic.value)
            object.add("token", token.hex)
            object.add("environment", environment.rawValue)
            object.add("kind", kind.rawValue)
            if !isInstalled { object.add("installed", false) }
            if !isOnline { object.add("online", false) }
            if !isAwake { object.add("awake", false) }
            if isInLowPower { object.add("low-power", true) }
            if isInLowData { object.add("low-data", true) }
            if !allowsBackgroundRefresh { object.add("background-refresh", false) }
            if !allowsNotifications { object.add("notifications", false) }
            if appState != .background { object.add("app-state", appState.rawValue) }
            if budget != .world { object.add("budget", BudgetText.text(budget)) }
            if let expiresAt { object.add("expires", time: expiresAt) }
        }
    }
}
