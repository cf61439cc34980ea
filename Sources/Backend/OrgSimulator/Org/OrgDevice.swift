package import APNSModel
import NoticeEncryption
package import PushDispatch
package import SelectiveSync

/// A row of the device registry: one app on one device, for one user (docs/reference/selective-sync.md 4.3).
package struct OrgDevice: Hashable, Sendable {
    package enum Service: String, Hashable, Sendable {
        case apple = "Apple"
        case android = "androidGcm"
    }

    package let id: RecordID
    package let user: RecordID
    /// In lower case for Apple's service.
    package let connectionToken: String
    package let service: Service
    package let bundleID: String
    /// When it was last registered: a 410 with an earlier timestamp does not count.
    package internal(set) var registered: ServerDate
    /// The session that registered it, by its grant.
    package internal(set) var grant: String?
    /// `NetworkId`, `RsaPublicKey` and `CipherName`, as far as they were given.
    package internal(set) var details: [String: JSONValue]

    /// What notices for it are encrypted with; nil where it registered no key.
    var noticeKey: (key: NoticePublicKey, padding: NoticePadding)? {
        guard let key = details["RsaPublicKey"]?.string.flatMap({ NoticePublicKey($0) }) else { return nil }
        return (key, details["CipherName"]?.string == OrgDevice.cipherName ? .oaepSHA256 : .pkcs1)
    }

    static let cipherName = "RSA_OAEP_SHA256"

    /// Nil for a device of another service.
    package var deviceToken: DeviceToken? { service == .apple ? DeviceToken(connectionToken) : nil }

    /// As a record of `MobilePushServiceDevice`.
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
