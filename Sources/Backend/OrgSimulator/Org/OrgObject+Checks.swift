import PushDispatch

extension OrgObject {
    /// Checks that a user may write these fields with these values.
    ///
    /// - Returns: The owner among the fields; nil if they have none.
    func check(_ fields: [String: JSONValue]) throws(OrgError) -> RecordID? {
        var owner: RecordID?
        for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
            guard hasField(field) else { throw .invalidField(field, of: name) }
            guard writableFields.contains(field) else { throw .notWritable(field) }
            if field == "OwnerId" {
                guard let id = value.string.flatMap({ RecordID($0) }) else {
                    throw .wrongValue(field, "the id of a user")
                }
                owner = id
                continue
            }
            switch value {
            case .null where field == "Name", .array, .object:
                throw .wrongValue(field, field == "Name" ? "a string" : "a string, a number, a Boolean or null")
            case .bool, .integer, .number, .null:
                guard field != "Name" else { throw .wrongValue(field, "a string") }
            case .string(let text):
                let maximum = field == "Name" ? OrgObject.maximumNameUnits : OrgObject.maximumTextUnits
                guard text.utf16.count <= maximum else { throw .tooLong(field, maximum: maximum) }
            }
        }
        return owner
    }
}
