import APNSPayload
import GatewayCore
import GatewayJSON

/// The settings of a world, in requests and answers.
extension ControlSchema {
    /// A count and a duration, or `off`.
    private static let rate = ControlSchema.string(pattern: "^([0-9]{1,6}/[1-9][0-9]{0,5}(ms|s|m|h|d)|off)$")
    private static let idle = ControlSchema.string(pattern: "^([1-9][0-9]{0,5}(ms|s|m|h|d)|off)$")
    private static let availability = ControlSchema.words(WorldSettings.Availability.self)
    private static let registration = ControlSchema.words(WorldSettings.UnknownDevicePolicy.self)
    private static let streams = ControlSchema.integer(1...Int64(Int32.max))
    /// A count and a period of at most 30 days, or `unlimited`.
    private static let budget = ControlSchema.string(
        pattern: "^([1-9][0-9]{0,2}/[1-9][0-9]{0,4}(ms|s|m)|[1-9][0-9]{0,2}/([1-9][0-9]?h|[12]?[1-9]d)|unlimited)$")
    private static let budgets = ControlSchema.open(BudgetText.names.map { ($0, budget) })
    private static let contested = ContestedSetting.all.map { ($0.name, ControlSchema.words($0.words)) }

    static let settingsChange = ControlSchema.request([
        "availability": availability, "devices": registration, "any-key": .boolean, "unregistered-delay": noticed,
        "device-rate": rate, "channel-rate": rate, "idle-timeout": idle,
        "max-concurrent-streams": streams, "budgets": budgets, "contested": .open(contested),
    ])

    static let settings = ControlSchema.object([
        "availability": availability, "devices": registration, "any-key": .boolean, "unregistered-delay": .string,
        "device-rate": rate, "channel-rate": rate, "idle-timeout": .string, "max-concurrent-streams": streams,
        "budgets": .open(BudgetText.names.map { ($0, .string) }), "contested": .open(contested),
    ])
}
