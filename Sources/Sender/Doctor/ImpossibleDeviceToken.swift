/// A device token that no device has. What is answered to a push to it tells whether the credentials were accepted, and no
/// device gets anything.
package enum ImpossibleDeviceToken {
    /// What stands behind `/3/device/`.
    ///
    /// APNs answers to 64 zeros like to every unknown device token, once the credentials are accepted (docs/reference/apns.md
    /// 3.5). A gateway that registers each device token on first use would register them; 63 are not the form of one.
    package static func text(for destination: Destination) -> String {
        String(repeating: "0", count: destination.environment == nil ? 63 : 64)
    }
}
