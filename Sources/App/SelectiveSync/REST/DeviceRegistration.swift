public import PushDispatch

/// The registration of a device with the CRM, so that pushes for its user reach it (docs/reference/selective-sync.md 4.3).
public struct DeviceRegistration: Hashable, Sendable {
    public static let object = "MobilePushServiceDevice"

    /// The device token in hexadecimal digits.
    public var deviceToken: String
    /// The app's bundle id.
    public var bundleID: String
    /// The id of the community; only for users of a community.
    public var networkID: RecordID?
    /// Base64 of a 2048-bit RSA public key in DER (SubjectPublicKeyInfo), in lines of 64 characters. With a key the CRM
    /// encrypts its notices. `KeychainNoticeKey` of `PushDispatch` returns this form.
    public var publicKey: String?
    /// Further fields. They override the fields of device token and bundle id, but not those of the other properties.
    public var extra: [String: JSONValue] = [:]

    /// - Parameter deviceToken: The bytes from the system.
    public init(deviceToken: some Sequence<UInt8>, bundleID: String) {
        let digits = Array("0123456789abcdef".utf8)
        self.init(
            hexDeviceToken: String(
                decoding: deviceToken.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self),
            bundleID: bundleID)
    }

    public init(hexDeviceToken: String, bundleID: String) {
        deviceToken = hexDeviceToken.lowercased()
        self.bundleID = bundleID
    }

    var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "ConnectionToken": .string(deviceToken), "ServiceType": "Apple", "ApplicationBundle": .string(bundleID),
        ]
        fields.merge(extra) { _, new in new }
        if let networkID { fields["NetworkId"] = .string(networkID.description) }
        if let publicKey {
            fields["RsaPublicKey"] = .string(publicKey)
            fields["CipherName"] = "RSA_OAEP_SHA256"
        }
        return fields
    }
}
