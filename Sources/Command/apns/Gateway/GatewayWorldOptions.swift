import APNSModel
import ArgumentParser
import GatewayConfiguration
import GatewayCore
import GatewayJSON
import SystemFiles

/// What the default world is and how it behaves, and how many worlds there may be.
struct GatewayWorldOptions: GatewayOptionGroup {
    @Option(.environment, transform: ArgumentReading.choice) var environment: APNSEnvironment?
    @Option(.devices, transform: ArgumentReading.choice) var devices: WorldSettings.UnknownDevicePolicy?
    @Option(.clock) var clock: GatewayClockOption?
    @Option(.idleTimeout, transform: { try ArgumentReading.milliseconds($0, from: 1) }) var idleTimeout: Int64?
    @Option(.unregisteredDelay, transform: { try ArgumentReading.milliseconds($0, from: 0) })
    var unregisteredDelay: Int64?
    @Option(.deviceRate, transform: GatewayRateOption.init) var deviceRate: GatewayRateOption?
    @Option(.channelRate, transform: GatewayRateOption.init) var channelRate: GatewayRateOption?
    @Option(.budget, transform: GatewayWorldOptions.budget) var budgets: [String] = []
    @Option(.contested, transform: GatewayContestedOption.init) var contested: [GatewayContestedOption] = []
    @Option(.faults) var faults: String?
    @Option(.answers) var answers: String?
    @Option(.seed) var seed: UInt64?
    @Option(.worlds) var worlds: Int?
    @Option(.worldIdle, transform: GatewayIdleOption.init) var worldIdle: GatewayIdleOption?
    @Option(.idleWorlds, transform: ArgumentReading.number) var idleWorlds: Int?

    var options: [(setting: GatewaySetting, isGiven: Bool)] {
        [
            (.environment, environment != nil), (.devices, devices != nil), (.clock, clock != nil),
            (.idleTimeout, idleTimeout != nil), (.unregisteredDelay, unregisteredDelay != nil),
            (.deviceRate, deviceRate != nil), (.channelRate, channelRate != nil), (.budget, !budgets.isEmpty),
            (.contested, !contested.isEmpty), (.faults, faults != nil), (.answers, answers != nil),
            (.seed, seed != nil), (.worlds, worlds != nil),
            (.worldIdle, worldIdle != nil), (.idleWorlds, idleWorlds != nil),
        ]
    }

    /// Checks a budget and keeps its text, because it changes one of several that the file may have set.
    private static func budget(_ text: String) throws -> String {
        var budgets = DeliveryBudgets.documented
        do throws(BudgetTextError) {
            try BudgetText.set(text, in: &budgets)
        } catch {
            throw ValidationError(error.description)
        }
        return text
    }

    func apply(to configuration: inout GatewayConfiguration) throws {
        if let environment { configuration.environment = environment }
        if let devices { configuration.devices = devices }
        if let clock {
            configuration.clock = clock.worldClock(now: WallClock.milliseconds)
            configuration.overridesStoredClock = true
        }
        if let idleTimeout { configuration.idleTimeout = idleTimeout }
        if let unregisteredDelay { configuration.unregisteredDelay = unregisteredDelay }
        if let deviceRate { configuration.settings.deviceRate = deviceRate.rate }
        if let channelRate { configuration.settings.channelRate = channelRate.rate }
        for budget in budgets { try BudgetText.set(budget, in: &configuration.budgets) }
        for choice in contested { choice.set(in: &configuration.settings.contested) }
        if let faults { try apply(faults: faults, to: &configuration) }
        if let answers { try apply(answers: answers, to: &configuration) }
        if let seed { configuration.seed = seed }
        if let worlds { configuration.worlds = worlds }
        if let worldIdle { configuration.worldIdle = worldIdle.time }
        if let idleWorlds { configuration.idleWorlds = idleWorlds }
    }

    /// The default world answers from the recording.
    private func apply(answers path: String, to configuration: inout GatewayConfiguration) throws {
        let bytes = try CommandError.rethrowing { () throws(FileError) in
            try InputFile.bytes(of: path, limit: AnswersFile.maximumBytes)
        }
        do throws(GatewayError) {
            configuration.answers = try AnswersFile.answers(in: bytes, name: path)
        } catch {
            throw CommandError(error.detail)
        }
    }

    /// The default world takes all rules; each named world takes those that name it.
    private func apply(faults path: String, to configuration: inout GatewayConfiguration) throws {
        let bytes = try CommandError.rethrowing { () throws(FileError) in
            try InputFile.bytes(of: path, limit: FaultFile.maximumBytes)
        }
        do throws(GatewayError) {
            configuration.faults = try FaultFile.rules(in: bytes, name: path)
        } catch {
            throw CommandError(error.detail)
        }
        for index in configuration.namedWorlds.indices {
            let name = configuration.namedWorlds[index].name
            let own = configuration.faults.filter { $0.match.world == name }
            configuration.namedWorlds[index].configuration.faults += own
        }
    }
}

/// The value of `--clock`.
enum GatewayClockOption: String, ExpressibleByArgument, CaseIterable {
    case real, manual

    /// - Parameter now: Where a manual clock begins, in milliseconds since 1970.
    func worldClock(now: Int64) -> WorldClock { self == .real ? .real : .manual(at: now) }
}

/// The value of `--device-rate` or `--channel-rate`.
struct GatewayRateOption: Hashable, Sendable {
    /// Nil for `off`.
    let rate: WorldSettings.DeviceRate?

    init(_ text: String) throws {
        guard let rate = RateText.rate(of: text) else { throw ValidationError("it must be \(RateText.form)") }
        self.rate = rate
    }
}

/// The value of `--world-idle`.
struct GatewayIdleOption: Hashable, Sendable {
    /// Milliseconds; nil for `off`.
    let time: Int64?

    init(_ text: String) throws {
        guard let time = GatewayDurationText.worldIdle(text) else {
            throw ValidationError("it must be \(GatewayDurationText.worldIdleForm)")
        }
        self.time = time
    }
}

/// A value of `--contested`: which side to take in a question about APNs.
struct GatewayContestedOption: Hashable, Sendable {
    private let name: String
    private let side: String

    init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw ValidationError("it must be a name and a value such as malformed-json=refuse")
        }
        var tried = ContestedSettings()
        do throws(ContestedSettings.UnknownSetting) {
            try tried.set(parts[0], to: parts[1])
        } catch {
            throw ValidationError("\(error)")
        }
        (name, side) = (String(parts[0]), String(parts[1]))
    }

    func set(in contested: inout ContestedSettings) { _ = ContestedSetting.named(name)?.set(side, in: &contested) }
}
