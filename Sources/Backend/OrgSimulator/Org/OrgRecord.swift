package import PushDispatch
package import SelectiveSync

/// One record of the simulated org.
package struct OrgRecord: Hashable, Sendable {
    package let id: RecordID
    package let object: String
    package internal(set) var owner: RecordID
    package internal(set) var lastModifiedBy: RecordID
    package internal(set) var lastModified: ServerDate
    package internal(set) var systemModstamp: ServerDate
    package let created: ServerDate
    package let createdBy: RecordID
    /// The date of the deletion; nil for an existing record.
    package internal(set) var deleted: ServerDate?
    /// The values that users set, including `OwnerId`. A field that was never set is absent.
    package internal(set) var fields: [String: JSONValue]

    /// The value that the REST interface returns; `null` for a field without a value.
    package func value(of field: String) -> JSONValue {
        switch field {
        case "Id": .string(id.description)
        case "LastModifiedById": .string(lastModifiedBy.description)
        case "CreatedById": .string(createdBy.description)
        case "IsDeleted": .bool(deleted != nil)
        default: date(of: field).map { .string($0.description) } ?? fields[field] ?? .null
        }
    }

    /// The value of a date field of the org; nil for any other field.
    func date(of field: String) -> ServerDate? {
        switch field {
        case "LastModifiedDate": lastModified
        case "SystemModstamp": systemModstamp
        case "CreatedDate": created
        default: nil
        }
    }

    /// A copy with the date of its deletion, which changes both stamps.
    func deleted(by user: RecordID, at now: ServerDate) -> OrgRecord {
        var gone = self
        gone.lastModified = max(now, lastModified.next)
        gone.systemModstamp = max(now, systemModstamp.next)
        gone.lastModifiedBy = user
        gone.deleted = gone.systemModstamp
        return gone
    }
}

extension Sequence<OrgRecord> {
    var inOrderOfIDs: [OrgRecord] {
        map { ($0.id.description, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
