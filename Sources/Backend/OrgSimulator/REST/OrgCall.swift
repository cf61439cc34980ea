import PushDispatch
import SelectiveSync
import ServiceHost

/// An authorized call: its user, request and time.
struct OrgCall {
    var request: ServiceRequest
    let user: RecordID
    /// The log-in of the session; nil for a session without a log-in.
    let grant: String?
    let now: ServerDate
    /// API version such as `v66.0`.
    var version = ""
    /// A field that a fault hides from this call, in addition to the org's hidden fields.
    var hidden: HiddenField?

    /// Finds an object by name; throws if there is none.
    func shape(_ object: String, _ org: Org) throws(OrgError) -> OrgObject {
        if object == OrgObject.pushDevice.name { return .pushDevice }
        guard let shape = org.objects[object] else { throw .noResource }
        return shape
    }

    func isReadable(_ field: String, of shape: OrgObject, _ org: Org) -> Bool {
        shape.hasField(field) && hidden != HiddenField(shape.name, field)
            && org.isReadable(field, of: shape.name, by: user)
    }

    func check(_ fields: some Sequence<String>, of shape: OrgObject, _ org: Org) throws(OrgError) {
        for field in fields where !isReadable(field, of: shape, org) { throw .invalidField(field, of: shape.name) }
    }

    /// A record that exists and that the user may see; a hidden record counts as missing.
    func record(_ id: RecordID, of shape: OrgObject, _ org: Org) -> OrgRecord? {
        if shape.name == OrgObject.pushDevice.name {
            guard let device = org.devices[id], device.user == user else { return nil }
            return device.record
        }
        guard let record = org[id], record.object == shape.name, org.isVisible(record, to: user) else { return nil }
        return record
    }

    /// Finds the record of a call about one record; throws the platform's error if there is none.
    func existing(_ text: String, of shape: OrgObject, _ org: Org) throws(OrgError) -> OrgRecord {
        let id = try OrgCall.id(text)
        if let record = record(id, of: shape, org) { return record }
        let isOther =
            org[id].map { $0.object != shape.name }
            ?? org.objects.values.contains {
                $0.name != shape.name && $0.keyPrefix == id.keyPrefix
            }
        guard !isOther else { throw .malformedID(text, "belongs to another object") }
        if let gone = org.tombstone(id, at: now), gone.object == shape.name, org.isVisible(gone, to: user) {
            throw .deleted(shape.name)
        }
        throw .noRecord(shape.name)
    }

    static func id(_ text: String) throws(OrgError) -> RecordID {
        do throws(RecordID.Problem) {
            return try RecordID.read(text).id
        } catch {
            throw .malformedID(text, error.description)
        }
    }

    /// Appends the record as JSON: first its attributes, then the fields in the order asked for.
    func append(_ record: OrgRecord, _ fields: [String], to bytes: inout [UInt8]) {
        let attributes: JSONValue = [
            "type": .string(record.object),
            "url": .string("/services/data/\(version)/sobjects/\(record.object)/\(record.id)"),
        ]
        JSONValue.appendObject(
            [("attributes", attributes)] + fields.map { ($0, record.value(of: $0)) }, to: &bytes)
    }

    /// 66 for `v66.0`.
    var majorVersion: Int { version.dropFirst().split(separator: ".").first.flatMap { Int($0) } ?? 0 }

    var source: ChangeSource { .session(grant: grant) }
}
