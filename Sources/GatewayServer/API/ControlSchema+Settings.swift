import APNSPayload
import GatewayCore

/// The settings of a world, taken and answered.
extension ControlSchema {
    /// A count and a duration, or `off`.
    private static let rate = ControlSchema.string(pattern: "^([0-9]{1,6}/[1-9][0-9]{0,5}(ms|s|m|h|d)|off)$")
    private static let idle = ControlSchema.string(pattern: "^([1-9][0-9]{0,5}(ms|s|m|h|d)|off)$")
    private static let availability = ControlSchema.words(WorldSettings.Availability.self)
    private static let registration = ControlSchema.words(WorldSettings.DeviceRegistration.self)
    private static let streams = ControlSchema.integer(1...Int64(Int32.max))
    private static let contested = ContestedSetting.all.map { ($0.name, ControlSchema.words($0.words)) }

    static let settingsChange = ControlSchema.request([
        "availability": availability, "devices": registration, "any-key": .boolean, "unregistered-delay": noticed,
        "device-rate": rate, "channel-rate": rate, "idle-timeout": idle,
        "max-concurrent-streams": streams, "contested": .open(contested),
    ])

    static let settings = ControlSchema.object([
        "availability": availability, "devices": registration, "any-key": .boolean, "unregistered-delay": .string,
        "device-rate": rate, "channel-rate": rate, "idle-timeout": .string, "max-concurrent-streams": streams,
        "contested": .open(contested),
    ])
}
