public import PushDispatch

/// What a device tells the CRM, so that pushes for its user reach it (docs/reference/selective-sync.md 4.3).
public struct DeviceRegistration: Hashable, Sendable {
    public static let object = "MobilePushServiceDevice"

    /// The device token as the system gave it, in hexadecimal digits.
    public var deviceToken: String
    /// The app's bundle id.
    public var bundleID: String
    /// The community, for its users alone.
    public var networkID: RecordID?
    /// Base64 of a 2048-bit RSA key in DER (SubjectPublicKeyInfo), in lines of 64 characters; notices come encrypted then.
    /// `KeychainNoticeKey` of `PushDispatch` has it in this form.
    public var publicKey: String?
    /// Further fields. They override what is made of device token and bundle id, and not what is made of the others.
    public var extra: [String: JSONValue] = [:]

    /// - Parameter deviceToken: The bytes that the system gave.
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

/// A device as the CRM has it on record.
public struct RegisteredDevice: Hashable, Sendable {
    public var id: RecordID
    public var deviceToken: String
    /// `Apple` for the devices of APNs.
    public var service: String
    public var bundleID: String

    init?(_ record: ServerRecord) {
        guard let deviceToken = record.fields["ConnectionToken"]?.string else { return nil }
        id = record.id
        self.deviceToken = deviceToken
        service = record.fields["ServiceType"]?.string ?? ""
        bundleID = record.fields["ApplicationBundle"]?.string ?? ""
    }
}
