import APNSModel
import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON

/// Settings of the world, changed while it runs. A reset restores the initial settings.
extension ControlAPI {
    private static let off = "off"
    private static let streams: ClosedRange<Int64> = 1...Int64(Int32.max)

    func settings() -> ControlAnswer {
        let settings = state.read { world, _ in world.settings }
        return .ok(settings.json)
    }

    func changeSettings(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let body = try ControlBody(request.body, keys: WorldSettings.keys)
        let contested = try body.object("contested", keys: ContestedSetting.all.map(\.name))
        let budgets = try body.object("budgets", keys: BudgetText.names)
        try state.changeSettings { settings throws(Problem) in
            settings.availability = try body.word("availability") ?? settings.availability
            settings.unknownDevices = try body.word("devices") ?? settings.unknownDevices
            settings.acceptsAnyKey = try body.bool("any-key") ?? settings.acceptsAnyKey
            if let delay = try body.duration("unregistered-delay") {
                guard delay >= 0 else { throw body.wrong("unregistered-delay", "0s or longer") }
                settings.unregisteredDelay = delay
            }
            settings.deviceRate = try ControlAPI.rate("device-rate", body) ?? settings.deviceRate
            settings.channelRate = try ControlAPI.rate("channel-rate", body) ?? settings.channelRate
            if let streams = try body.integer("max-concurrent-streams", in: ControlAPI.streams) {
                settings.maximumConcurrentStreams = UInt32(streams)
            }
            if try body.string("idle-timeout") == ControlAPI.off {
                settings.idleTimeout = nil
            } else if let idle = try body.duration("idle-timeout") {
                guard idle > 0 else { throw body.wrong("idle-timeout", "longer than 0, or off") }
                settings.idleTimeout = idle
            }
            for name in budgets?.present ?? [] {
                guard let budgets, let text = try budgets.string(name) else { continue }
                guard BudgetText.set(name, to: text, in: &settings.budgets) else {
                    throw budgets.wrong(name, BudgetText.wanted + ", or unlimited")
                }
            }
            guard let contested else { return }
            for name in contested.present {
                try ControlAPI.set(name, contested, in: &settings.contested)
            }
        }
        return self.settings()
    }

    private static func rate(_ key: String, _ body: ControlBody) throws(Problem) -> WorldSettings.DeviceRate?? {
        guard let text = try body.string(key) else { return nil }
        guard let rate = RateText.rate(of: text) else { throw body.wrong(key, RateText.form) }
        return rate
    }

    private static func set(
        _ name: String, _ body: ControlBody, in contested: inout ContestedSettings
    ) throws(Problem) {
        guard let setting = ContestedSetting.named(name), let word = try body.string(name) else { return }
        guard setting.set(word, in: &contested) else {
            throw body.wrong(name, setting.words.joined(separator: " or "))
        }
    }
}
