import PushDispatch

extension OrgObject {
    /// Checks that a user may write these fields with these values, as far as the object alone can tell.
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

extension Org {
    /// Checks the fields that a user writes, and that their owner is a user. An org without users takes every id that
    /// begins as those of users do.
    ///
    /// - Returns: The owner among the fields; nil if they have none.
    func owner(in fields: [String: JSONValue], of shape: OrgObject) throws(OrgError) -> RecordID? {
        guard let owner = try shape.check(fields) else { return nil }
        let isUser = users.isEmpty ? owner.keyPrefix == OrgUser.keyPrefix : users[owner] != nil
        guard isUser else { throw .wrongValue("OwnerId", "the id of a user of the org") }
        return owner
    }
}
