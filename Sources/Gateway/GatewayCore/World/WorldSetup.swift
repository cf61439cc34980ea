package import APNSModel

/// Where a world differs from the gateway's configuration; nil for no difference.
package struct WorldSetup: Hashable, Sendable, Codable {
    package var environment: APNSEnvironment?
    package var seed: UInt64?
    package var clock: WorldClock?
    package var devices: WorldSettings.UnknownDevicePolicy?

    package init() {}
}
