package import APNSModel
import NoticeEncryption
package import PushDispatch
package import SelectiveSync

/// An entry of the device registry: one app on one device for one user (docs/reference/selective-sync.md 4.3).
package struct OrgDevice: Hashable, Sendable {
    package enum Service: String, Hashable, Sendable {
        case apple = "Apple"
        case android = "androidGcm"
    }

    package let id: RecordID
    package let user: RecordID
    /// In lower case for devices of Apple's service.
    package let connectionToken: String
    package let service: Service
    package let bundleID: String
    /// The date of the last registration. A 410 with an earlier timestamp is ignored.
    package internal(set) var registered: ServerDate
    /// The log-in whose session registered the device.
    package internal(set) var grant: String?
    /// The given values of `NetworkId`, `RsaPublicKey` and `CipherName`.
    package internal(set) var details: [String: JSONValue]

    /// The key and padding that encrypt notices for the device; nil if it registered no key.
    var noticeKey: (key: NoticePublicKey, padding: NoticePadding)? {
        guard let key = details["RsaPublicKey"]?.string.flatMap({ NoticePublicKey($0) }) else { return nil }
        return (key, details["CipherName"]?.string == OrgDevice.cipherName ? .oaepSHA256 : .pkcs1)
    }

    static let cipherName = "RSA_OAEP_SHA256"

    /// Nil for a device of another service.
    package var deviceToken: DeviceToken? { service == .apple ? DeviceToken(connectionToken) : nil }

    /// The entry as a record of `MobilePushServiceDevice`.
    var record: OrgRecord {
        var fields = details
        fields["ConnectionToken"] = .string(connectionToken)
        fields["ServiceType"] = .string(service.rawValue)
        fields["ApplicationBundle"] = .string(bundleID)
        fields["OwnerId"] = .string(user.description)
        return OrgRecord(
            id: id, object: OrgObject.pushDevice.name, owner: user, lastModifiedBy: user, lastModified: registered,
            systemModstamp: registered, created: registered, createdBy: user, deleted: nil, fields: fields)
    }
}

extension OrgDevice: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "device \(DeviceToken.shorten(connectionToken)) of \(user)" }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
