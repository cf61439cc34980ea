package import APNSModel

/// Where a world differs from the gateway's configuration; nil for no difference.
package struct WorldSetup: Hashable, Sendable, Codable {
    package var environment: APNSEnvironment?
    package var seed: UInt64?
    package var clock: WorldClock?
    package var devices: WorldSettings.UnknownDevicePolicy?
    /// What clients of the control API must send for this world, beside those that send the gateway's. A secret.
    package var token: String?
    /// The file that it was made from, without `state`.
    package var document: String?

    package init() {}
}
