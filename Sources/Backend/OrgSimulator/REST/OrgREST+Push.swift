import NoticeEncryption
import PushDispatch
import ServiceHost

/// The device registry and the push call (docs/reference/selective-sync.md 4.3, 4.5).
extension OrgREST {
    func register(_ members: [String: JSONValue], _ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        let known = OrgObject.pushDevice.customFields
        for field in members.keys.sorted() where !known.contains(field) && field != "attributes" {
            throw .invalidField(field, of: OrgObject.pushDevice.name)
        }
        let token = try text("ConnectionToken", members)
        let bundle = try text("ApplicationBundle", members)
        guard let service = OrgDevice.Service(rawValue: try text("ServiceType", members)) else {
            throw .wrongValue("ServiceType", "Apple or androidGcm")
        }
        guard bundle.utf8.count <= 255 else { throw .tooLong("ApplicationBundle", maximum: 255) }
        var details: [String: JSONValue] = [:]
        for field in ["NetworkId", "RsaPublicKey", "CipherName"] where members[field] ?? .null != .null {
            let value = try text(field, members)
            guard value.utf8.count <= 4_096 else { throw .tooLong(field, maximum: 4_096) }
            details[field] = .string(value)
        }
        // Checked at registration, so that no notice is sent in clear to a device that asked for encryption.
        if let key = details["RsaPublicKey"]?.string, NoticePublicKey(key) == nil {
            throw .wrongValue(
                "RsaPublicKey", "base64 of a \(NoticePublicKey.bits)-bit RSA key in DER (SubjectPublicKeyInfo)")
        }
        if let cipher = details["CipherName"]?.string, cipher != OrgDevice.cipherName {
            throw .wrongValue("CipherName", OrgDevice.cipherName)
        }
        let id = try org.register(
            token, bundleID: bundle, service: service, details: details, for: call.user, grant: call.grant,
            at: call.now)
        return Answer(.json(OrgREST.success(id), status: 201))
    }

    private func text(_ field: String, _ members: [String: JSONValue]) throws(OrgError) -> String {
        guard let value = members[field], value != .null else {
            throw OrgError(
                status: 400, code: "REQUIRED_FIELD_MISSING", message: "Required fields are missing: [\(field)]",
                fields: [field])
        }
        guard let text = value.string, !text.isEmpty else { throw .wrongValue(field, "a string") }
        return text
    }

    /// Returns one push for each user. The sender asks the org for the devices.
    func push(_ call: OrgCall, _ org: Org) throws(OrgError) -> Answer {
        let members = try OrgREST.object(in: call.request)
        let name = try text("appName", members)
        let namespace = members["namespace"] ?? .null
        guard let app = org.apps[name], namespace == (app.namespace.map { .string($0) } ?? .null) else {
            throw OrgError(status: 404, code: "NOT_FOUND", message: "No app has this name and namespace.")
        }
        guard let rows = members["userIds"]?.array, !rows.isEmpty, rows.count <= OrgREST.maximumIDs else {
            throw .parser("userIds has to be an array of 1 to \(OrgREST.maximumIDs) user ids.")
        }
        var users: [RecordID] = []
        var seen: Set<RecordID> = []
        for row in rows {
            guard let text = row.string else { throw .parser("userIds has to be an array of user ids.") }
            let user = try OrgCall.id(text)
            if seen.insert(user).inserted { users.append(user) }
        }
        guard let payload = members["payload"]?.string else {
            throw .parser("payload has to be a string that holds the JSON of the payload.")
        }
        let bytes = Array(payload.utf8)
        guard let object = (try? JSONReader.read(bytes, limits: .push))?.object else {
            throw .parser("The string in payload is not a JSON object; its strings need double quotes.")
        }
        let count = org.deviceCount(of: name, seen)
        guard count <= org.settings.notificationsPerCall else {
            throw OrgError(
                status: 400, code: "LIMIT_EXCEEDED",
                message: "\(count) notifications in one call; it takes \(org.settings.notificationsPerCall).")
        }
        let type = object["type"]?.string ?? ""
        let pushes = users.map { user in
            OutgoingPush(type: type, targetUser: user, records: [], payload: bytes, application: name)
        }
        return Answer(.emptyObject, pushes: pushes)
    }
}
