import NoticeEncryption
import PushDispatch
import SelectiveSync

/// The push for a notice: the alert for the user, and the members by which the app finds the notice
/// (docs/reference/selective-sync.md 4.6).
package struct NoticePayload: Hashable, Sendable {
    private let aps: [String: JSONValue]
    private let title: String
    private let body: String
    /// The title that an encrypted notice shows if the device cannot decrypt it: the type's label.
    private let coverTitle: String
    private let inner: [String: JSONValue]

    init(_ notice: OrgNotice, _ type: OrgNoticeType, unseen: Int) {
        var aps: [String: JSONValue] = [
            "sound": "default", "badge": .integer(Int64(unseen)), "mutable-content": 1,
        ]
        if let group = type.definition.actionGroups.first { aps["category"] = .string(group.name) }
        self.aps = aps
        title = notice.title
        body = notice.body
        coverTitle = type.definition.label
        var inner: [String: JSONValue] = [
            "oid": .string(Org.organizationID), "uid": .string(notice.recipient.description),
            "nid": .string(notice.id), "timestamp": .integer(notice.created.millisecondsSince1970 / 1_000),
            // -1 stands for a custom type, and every type of this org is one.
            "type": -1, "notifType": .string(notice.type),
        ]
        if let target = notice.target { inner["rid"] = .string(target.description) }
        self.inner = inner
    }

    private static let coverBody = "Open the app to read it."

    package var plain: [UInt8] { bytes(title: title, body: body, inner) }

    /// Encrypts the notice for a device that registered a public key.
    ///
    /// - Returns: Nil if encryption fails; then the notice must not be sent in clear.
    func encrypted(for key: NoticePublicKey, padding: NoticePadding) -> [UInt8]? {
        var secret = inner
        secret["alertTitle"] = .string(title)
        secret["alertBody"] = .string(body)
        secret["badge"] = aps["badge"]
        guard let encrypted = key.encrypt(secret, padding: padding) else { return nil }
        return bytes(
            title: coverTitle, body: NoticePayload.coverBody,
            ["encrypted": true, "secret": .string(encrypted.secret), "content": .string(encrypted.content)])
    }

    private func bytes(title: String, body: String, _ members: [String: JSONValue]) -> [UInt8] {
        var aps = aps
        aps["alert"] = ["title": .string(title), "body": .string(body)]
        var bytes: [UInt8] = []
        JSONValue.appendObject(
            [("aps", .object(aps))] + members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, to: &bytes)
        return bytes
    }
}
