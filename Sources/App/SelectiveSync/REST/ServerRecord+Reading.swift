import PushDispatch

extension ServerRecord {
    /// Reads a record from the server's JSON.
    ///
    /// - Parameters:
    ///   - place: Its place in the reply, for the message: `element 3`.
    ///   - wanted: The fields that were asked for. Each has to be present, at least as `null`: an absent field would erase the
    ///     local value.
    /// - Throws: `badReply` for a record of another object, an invalid id, or a stamp that is not a date-time.
    init(_ value: JSONValue, of object: String, at place: String, fields wanted: [String]) throws(FetchError) {
        guard var members = value.object else {
            throw ServerRecord.bad("\(place) is \(value.kindInWords); a record is wanted")
        }
        let attributes = members.removeValue(forKey: "attributes")
        guard attributes?.object?["type"]?.string == object else {
            throw ServerRecord.bad("\(place) is not marked as \(object)")
        }
        guard let id = members["Id"]?.string.flatMap({ RecordID($0) }) else {
            throw ServerRecord.bad("\(place) has no readable Id")
        }
        for field in ["LastModifiedDate", "SystemModstamp"] {
            guard let value = members[field], value != .null else { continue }
            guard let text = value.string, ServerDate(text) != nil else {
                throw ServerRecord.bad("\(field) of \(place) is not a date-time")
            }
        }
        for field in wanted where members[field] == nil && !ServerRecord.has(members, field) {
            throw ServerRecord.bad("\(place) lacks a field that was asked for")
        }
        self.init(id: id, fields: members)
    }

    /// Names are not case-sensitive, and the server returns `Owner.Name` as an object `Owner`.
    private static func has(_ members: [String: JSONValue], _ field: String) -> Bool {
        let name = field.prefix { $0 != "." }.lowercased()
        return members.keys.contains { $0.lowercased() == name }
    }

    private static func bad(_ detail: String) -> FetchError {
        FetchError(.badReply, status: 200, advice: .retryLater, detail)
    }
}
