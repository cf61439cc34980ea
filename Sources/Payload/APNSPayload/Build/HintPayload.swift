import APNSModel
import PayloadJSON

/// Builds the silent payloads that name changed records, in compact form and without personal data.
///
/// ```swift
/// let payloads = try HintPayload.interactions(ids)  // one, or more when the ids do not fit
/// ```
public enum HintPayload {
    /// The hints that name records.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case accountUpdate = "ACCOUNT_UPDATE"
        case interaction = "INTERACTION"
    }

    /// The payload for one changed account.
    ///
    /// - Parameter changedFields: The names of the changed fields, in the order to send. Without names the key is left
    ///   out.
    public static func accountUpdate(
        _ id: String, changedFields: [String] = []
    ) throws(HintPayloadError) -> [UInt8] {
        guard isRecordID(id) else { throw .badRecordID(id, position: 1) }
        if let field = changedFields.first(where: { !isFieldName($0) }) { throw .badFieldName(field) }
        var bytes = frame(Kind.accountUpdate.rawValue)
        bytes += ",\"accountId\":".utf8
        JSONWriter.append(id, to: &bytes)
        if !changedFields.isEmpty {
            bytes += ",\"changedFields\":".utf8
            JSONWriter.append(changedFields.joined(separator: ", "), to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        guard bytes.count <= maximumBytes else { throw .tooLarge(bytes: bytes.count, limit: maximumBytes) }
        return bytes
    }

    /// The payloads for these changed interactions: as few as the limit of a background push allows, filled in the
    /// order of the ids. One payload has space for 191 ids of 18 characters, or 223 of 15.
    public static func interactions(_ ids: [String]) throws(HintPayloadError) -> [[UInt8]] {
        try records(ids, type: Kind.interaction.rawValue)
    }

    /// The payloads for changed records of another type of hint, which names them as `INTERACTION` does.
    ///
    /// - Parameter custom: More keys of each payload, none of them `type` or `recordIds`.
    public static func records(
        _ ids: [String], type: String, custom: CustomData = [:]
    ) throws(HintPayloadError) -> [[UInt8]] {
        for (index, id) in ids.enumerated() where !isRecordID(id) { throw .badRecordID(id, position: index + 1) }
        for key in ["type", "recordIds"] where custom[key] != nil { throw .reservedKey(key) }
        let start = frame(type) + Array(",\"recordIds\":[".utf8)
        var end = Array("]".utf8)
        for (key, value) in PayloadValue.sorted(custom.values) {
            end.append(UInt8(ascii: ","))
            JSONWriter.append(key, to: &end)
            end.append(UInt8(ascii: ":"))
            value.append(to: &end)
        }
        end.append(UInt8(ascii: "}"))
        var payloads: [[UInt8]] = []
        var bytes = start
        for id in ids {
            // The size includes the quotes, and a comma after the previous id.
            let comma = bytes.count > start.count ? 1 : 0
            if bytes.count > start.count, bytes.count + comma + id.utf8.count + 2 + end.count > maximumBytes {
                payloads.append(bytes + end)
                bytes = start
            }
            if bytes.count > start.count { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.append(id, to: &bytes)
            let size = bytes.count + end.count
            guard size <= maximumBytes else { throw .tooLarge(bytes: size, limit: maximumBytes) }
        }
        if bytes.count > start.count { payloads.append(bytes + end) }
        return payloads
    }

    /// The visible push that is sent once, so that a person sees that pushes arrive. Its push type is `alert`.
    ///
    /// - Parameter message: Free text. Source of the default: docs/reference/selective-sync.md 1.1.
    public static func test(message: String = "Hello from Salesforce") -> [UInt8] {
        AlertPush(
            Alert("Test Push Notification"), badge: 1, sound: .standard,
            custom: ["type": "TEST", "message": .string(message)]
        ).encoded()
    }

    /// Whether `text` has the form of a record id: 15 or 18 of `0-9A-Za-z`.
    private static func isRecordID(_ text: String) -> Bool { RecordIDForm(text) != .none }

    private static let maximumBytes = PushType.background.maximumPayloadBytes

    private static func frame(_ type: String) -> [UInt8] {
        var bytes = Array(#"{"aps":{"content-available":1},"type":"#.utf8)
        JSONWriter.append(type, to: &bytes)
        return bytes
    }

    /// A comma would split the name, and the reader trims white space.
    private static func isFieldName(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0 != "," && !$0.properties.isWhitespace && $0.value >= 0x20 }
    }
}
