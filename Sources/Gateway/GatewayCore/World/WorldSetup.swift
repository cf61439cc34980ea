package import APNSModel

/// What a world was made with that is its own; nil is as the gateway was started.
package struct WorldSetup: Hashable, Sendable, Codable {
    package var environment: APNSEnvironment?
    package var seed: UInt64?
    package var clock: WorldClock?
    package var devices: WorldSettings.DeviceRegistration?

    package init() {}
}
