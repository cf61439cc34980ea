/// How an app gets a new device token (docs/reference/apns.md section 8).
package enum DeviceTokenChange: String, Hashable, Sendable, CaseIterable {
    /// The app is removed and installed again on the same device. The state of the device stays: network, power, and
    /// whether it is awake.
    case reinstall
    /// A backup is restored on another device. The settings in the backup stay: background refresh, and whether the app may
    /// show notifications.
    case restore
}
