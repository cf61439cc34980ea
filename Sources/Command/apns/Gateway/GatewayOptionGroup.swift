import ArgumentParser
import GatewayConfiguration

/// Options of `apns gateway` that belong together. Their names and help come from `GatewaySetting`.
protocol GatewayOptionGroup: ParsableArguments {
    /// The settings of the options, each with whether it was given.
    var options: [(setting: GatewaySetting, isGiven: Bool)] { get }

    /// Puts what was given over what the configuration file says.
    func apply(to configuration: inout GatewayConfiguration) throws
}

extension GatewayOptionGroup {
    /// The settings that were given on the command line.
    var given: [GatewaySetting] { options.filter(\.isGiven).map(\.setting) }
}

extension GatewaySetting {
    fileprivate var name: NameSpecification { .customLong(option ?? "") }
    fileprivate var argumentHelp: ArgumentHelp { ArgumentHelp(stringLiteral: help).named(valueName) }
}

extension ArgumentHelp {
    fileprivate func named(_ valueName: String?) -> ArgumentHelp {
        var help = self
        help.valueName = valueName
        return help
    }
}

extension Option {
    /// An option with the name and help of a setting.
    init<Wrapped: ExpressibleByArgument>(_ setting: GatewaySetting) where Value == Wrapped? {
        self.init(name: setting.name, help: setting.argumentHelp)
    }

    init<Wrapped>(
        _ setting: GatewaySetting, transform: @Sendable @escaping (String) throws -> Wrapped
    ) where Value == Wrapped? {
        self.init(name: setting.name, help: setting.argumentHelp, transform: transform)
    }

    /// An option that may be repeated.
    init<Element: ExpressibleByArgument>(
        wrappedValue: [Element], _ setting: GatewaySetting
    ) where Value == [Element] {
        self.init(wrappedValue: wrappedValue, name: setting.name, help: setting.argumentHelp)
    }

    init<Element>(
        wrappedValue: [Element], _ setting: GatewaySetting,
        transform: @Sendable @escaping (String) throws -> Element
    ) where Value == [Element] {
        self.init(wrappedValue: wrappedValue, name: setting.name, help: setting.argumentHelp, transform: transform)
    }
}

extension Flag where Value == Bool {
    init(wrappedValue: Bool, _ setting: GatewaySetting) {
        self.init(wrappedValue: wrappedValue, name: setting.name, help: setting.argumentHelp)
    }
}
