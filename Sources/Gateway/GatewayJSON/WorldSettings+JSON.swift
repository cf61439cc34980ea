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
            for (name, value) in members { object.add(name: name, json: value.bytes) }
        }
    }

    /// The settings by their keys, which the configuration file has as well.
    var members: [(name: String, value: JSONText)] {
        [
            ("availability", .string(availability.rawValue)), ("devices", .string(unknownDevices.rawValue)),
            ("any-key", JSONText(bytes: Array("\(acceptsAnyKey)".utf8))),
            ("unregistered-delay", .string(TimeText.duration(unregisteredDelay))),
            ("device-rate", .string(RateText.text(deviceRate))), ("channel-rate", .string(RateText.text(channelRate))),
            ("idle-timeout", .string(idleTimeout.map { TimeText.duration($0) } ?? "off")),
            ("max-concurrent-streams", JSONText(number: Int64(maximumConcurrentStreams))),
            (
                "budgets",
                .object { object in
                    for (name, text) in BudgetText.texts(budgets) {
                        object.add(name: name, json: JSONText.string(text).bytes)
                    }
                }
            ),
            (
                "contested",
                .object { object in
                    for setting in ContestedSetting.all {
                        object.add(name: setting.name, json: JSONText.string(setting.word(in: contested)).bytes)
                    }
                }
            ),
        ]
    }

    /// How much a world holds, by the names that a configuration file has for it.
    package static let limits: [(name: String, field: any WritableKeyPath<WorldSettings, Int> & Sendable)] = [
        ("devices", \.maximumDevices), ("apps", \.maximumApps), ("keys", \.maximumKeys), ("faults", \.maximumFaults),
        ("channels", \.maximumChannels), ("channels-of-app", \.maximumChannelsOfApp),
        ("subscriptions", \.maximumSubscriptions), ("provider-tokens", \.maximumVerifiedTokens),
    ]
}
