package import PushDispatch
package import SelectiveSync

/// One row of the simulated org.
package struct OrgRecord: Hashable, Sendable {
    package let id: RecordID
    package let object: String
    package internal(set) var owner: RecordID
    package internal(set) var lastModifiedBy: RecordID
    package internal(set) var lastModified: ServerDate
    package internal(set) var systemModstamp: ServerDate
    package let created: ServerDate
    package let createdBy: RecordID
    /// When it was deleted; nil for one that is there.
    package internal(set) var deleted: ServerDate?
    /// What users set, `OwnerId` among it; a field that was never set is absent.
    package internal(set) var fields: [String: JSONValue]

    /// The value that the REST interface shows, `null` for a field without one.
    package func value(of field: String) -> JSONValue {
        switch field {
        case "Id": .string(id.description)
        case "LastModifiedById": .string(lastModifiedBy.description)
        case "CreatedById": .string(createdBy.description)
        case "IsDeleted": .bool(deleted != nil)
        default: date(of: field).map { .string($0.description) } ?? fields[field] ?? .null
        }
    }

    /// The moment that a field of the org holds; nil for any other field.
    func date(of field: String) -> ServerDate? {
        switch field {
        case "LastModifiedDate": lastModified
        case "SystemModstamp": systemModstamp
        case "CreatedDate": created
        default: nil
        }
    }

    /// With the moment of its deletion, which moves both stamps.
    func deleted(by user: RecordID, at now: ServerDate) -> OrgRecord {
        var gone = self
        gone.lastModified = max(now, lastModified.next)
        gone.systemModstamp = max(now, systemModstamp.next)
        gone.lastModifiedBy = user
        gone.deleted = gone.systemModstamp
        return gone
    }
}
