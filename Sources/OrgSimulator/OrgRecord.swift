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
    /// What users set, `OwnerId` among it; a field that was never set is absent.
    package internal(set) var fields: [String: JSONValue]

    /// The value that the REST interface shows, `null` for a field without one.
    package func value(of field: String) -> JSONValue {
        switch field {
        case "Id": .string(id.description)
        case "LastModifiedById": .string(lastModifiedBy.description)
        case "LastModifiedDate": .string(lastModified.description)
        case "SystemModstamp": .string(systemModstamp.description)
        default: fields[field] ?? .null
        }
    }
}
