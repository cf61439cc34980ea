import APNSModel
package import GatewayCore
package import PayloadJSON

extension WorldSettings {
    /// The keys of the settings object, for requests that change some settings.
    package static let keys = [
        "availability", "devices", "any-key", "unregistered-delay", "device-rate", "channel-rate", "idle-timeout",
        "max-concurrent-streams", "budgets", "contested",
    ]

    package var json: JSONText {
        .object { object in
            object.add("availability", availability.rawValue)
            object.add("devices", unknownDevices.rawValue)
            object.add("any-key", acceptsAnyKey)
            object.add("unregistered-delay", TimeText.duration(unregisteredDelay))
            object.add("device-rate", RateText.text(deviceRate))
            object.add("channel-rate", RateText.text(channelRate))
            object.add("idle-timeout", idleTimeout.map { TimeText.duration($0) } ?? "off")
            object.add("max-concurrent-streams", maximumConcurrentStreams)
            object.add(
                "budgets",
                .object { object in
                    for (name, text) in BudgetText.texts(budgets) {
                        object.add(name: name, json: JSONText.string(text).bytes)
                    }
                })
            object.add(
                "contested",
                .object { object in
                    for setting in ContestedSetting.all {
                        object.add(name: setting.name, json: JSONText.string(setting.word(in: contested)).bytes)
                    }
                })
        }
    }
}
