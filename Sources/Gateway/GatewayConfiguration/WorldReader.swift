package import APNSModel
package import ConfigurationText
import GatewayCore
import GatewayJSON
import ProviderToken
import SystemFiles

/// Reads the settings of one world in a configuration file.
package struct WorldReader: Sendable {
    /// What relative paths in the file are resolved against.
    package let folder: String
    /// The environment given on the command line, if it replaces the file's.
    package let environment: APNSEnvironment?
    package let readFile: GatewayFile.ReadFile

    package typealias Members = [(name: String, key: String, node: YAMLNode)]

    /// - Parameter path: A relative path is resolved against `folder`.
    package static func path(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") || folder.isEmpty ? path : folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }

    package func read(_ members: Members, into configuration: inout GatewayConfiguration, _ reader: inout YAMLReader) {
        // Settings that others depend on are read first, wherever they are in the file.
        for (name, key, node) in members where name == "environment" {
            let words = APNSEnvironment.allCases.map { ($0.rawValue, $0) }
            configuration.environment = reader.word(node, key, words) ?? configuration.environment
        }
        configuration.environment = environment ?? configuration.environment
        for (name, key, node) in members { take(name, key, node, &configuration, &reader) }
        register(members, &configuration, &reader)
    }

    private func take(
        _ name: String, _ key: String, _ node: YAMLNode, _ configuration: inout GatewayConfiguration,
        _ reader: inout YAMLReader
    ) {
        switch name {
        case "devices":
            let words = WorldSettings.UnknownDevicePolicy.allCases.map { ($0.rawValue, $0) }
            configuration.devices = reader.word(node, key, words) ?? configuration.devices
        case "any-key": configuration.acceptsAnyKey = reader.boolean(node, key) ?? configuration.acceptsAnyKey
        case "retain":
            configuration.retain = reader.number(node, key, in: 1...WorldReader.maximumCount).map { Int($0) } ?? 10_000
        case "retain-bytes":
            guard let bytes = reader.number(node, key, in: 1...WorldReader.maximumBytes) else { return }
            configuration.retainBytes = Int(bytes)
        case "clock":
            guard let clock = clock(node, key, &reader) else { return }
            (configuration.clock, configuration.overridesStoredClock) = (clock, true)
        case "seed":
            guard let seed = node.text.flatMap({ UInt64($0) }) else {
                return reader.report("\(node.shown) is given where a whole number from 0 is expected", at: node, key)
            }
            configuration.seed = seed
        case "idle-timeout":
            if node.text == RateText.off {
                configuration.idleTimeout = nil
            } else if let time = duration(node, key, least: 1, &reader) {
                configuration.idleTimeout = time
            }
        case "budgets":
            for (name, key, node) in reader.members(of: node, key, known: BudgetText.names) {
                guard let text = reader.string(node, key) else { continue }
                if !BudgetText.set(name, to: text, in: &configuration.budgets) {
                    reader.report(
                        "\(node.shown) is given where \(BudgetText.wanted), or unlimited, is expected", at: node, key)
                }
            }
        case "answers":
            guard let path = reader.string(node, key) else { return }
            do {
                configuration.answers = try AnswersFile.answers(
                    in: try readFile(WorldReader.path(path, in: folder)), name: path)
            } catch {
                reader.report("\(error)", at: node, key)
            }
        case "unregistered-delay":
            configuration.unregisteredDelay = duration(node, key, least: 0, &reader) ?? configuration.unregisteredDelay
        default: take(name, key, node, &configuration.settings, &reader)
        }
    }

    private func take(
        _ name: String, _ key: String, _ node: YAMLNode, _ settings: inout WorldSettings, _ reader: inout YAMLReader
    ) {
        switch name {
        case "availability":
            let words = WorldSettings.Availability.allCases.map { ($0.rawValue, $0) }
            settings.availability = reader.word(node, key, words) ?? settings.availability
        case "device-rate": settings.deviceRate = rate(node, key, &reader) ?? settings.deviceRate
        case "channel-rate": settings.channelRate = rate(node, key, &reader) ?? settings.channelRate
        case "max-concurrent-streams":
            guard let streams = reader.number(node, key, in: 1...Int64(Int32.max)) else { return }
            settings.maximumConcurrentStreams = UInt32(streams)
        case "contested":
            for (name, key, node) in reader.members(of: node, key, known: ContestedSetting.all.map(\.name)) {
                guard let setting = ContestedSetting.named(name),
                    let word = reader.word(node, key, setting.words.map { ($0, $0) })
                else { continue }
                _ = setting.set(word, in: &settings.contested)
            }
        case "limits":
            for (name, key, node) in reader.members(of: node, key, known: WorldSettings.limits.map(\.name)) {
                guard let limit = WorldSettings.limits.first(where: { $0.name == name }),
                    let number = reader.number(node, key, in: 1...WorldReader.maximumCount)
                else { continue }
                settings[keyPath: limit.field] = Int(number)
            }
        default: break
        }
    }

    private static let maximumCount: Int64 = 100_000_000
    private static let maximumBytes: Int64 = 1 << 40

    private func duration(
        _ node: YAMLNode, _ key: String, least: Int64, _ reader: inout YAMLReader
    ) -> Int64? {
        guard let time = node.text.flatMap({ TimeText.milliseconds(ofDuration: $0) }), time >= least else {
            reader.report(
                "\(node.shown) is given where a duration such as 250ms, 90s, 10m or 2h is expected", at: node, key)
            return nil
        }
        return time
    }

    private func rate(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> WorldSettings.DeviceRate?? {
        guard let rate = node.text.flatMap({ RateText.rate(of: $0) }) else {
            reader.report("\(node.shown) is given where \(RateText.form) is expected", at: node, key)
            return nil
        }
        return rate
    }

    /// `real`, `manual`, or a mapping of `mode` and `now`.
    private func clock(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> WorldClock? {
        let words: [(String, WorldClock.Mode)] = [("real", .real), ("manual", .manual)]
        var mode: WorldClock.Mode?
        var now: Int64?
        if node.isMapping {
            for (name, key, node) in reader.members(of: node, key, known: ["mode", "now"]) {
                guard name == "now" else {
                    mode = reader.word(node, key, words)
                    continue
                }
                now = node.text.flatMap { TimeText.milliseconds(ofTime: $0) }
                if now == nil {
                    reader.report(
                        "\(node.shown) is given where a time such as 2026-11-21T07:00:00Z or Unix seconds are expected",
                        at: node, key)
                }
            }
        } else {
            mode = reader.word(node, key, words)
        }
        guard mode != nil || now != nil else { return nil }
        let real = WallClock.milliseconds
        var clock = WorldClock.real
        clock.set(mode ?? .manual, to: now, real: real)
        return clock
    }
}
