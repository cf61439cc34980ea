public import PushDispatch

/// An entry of the delivery service for one locale: a JSON object with `sys` and `fields`.
///
/// It keeps whatever came, so it can be any object; ``problem`` says whether it is a complete entry.
public struct ContentEntry: Hashable, Sendable {
    /// The whole object.
    public var members: [String: JSONValue]

    public init(_ members: [String: JSONValue]) { self.members = members }

    /// - Parameter fields: By their names, for one locale.
    public init(id: String, contentType: String, fields: [String: JSONValue]) {
        members = [
            "sys": [
                "id": .string(id), "type": "Entry",
                "contentType": ["sys": ["type": "Link", "linkType": "ContentType", "id": .string(contentType)]],
            ],
            "fields": .object(fields),
        ]
    }

    /// The entry as a JSON value.
    public var json: JSONValue { .object(members) }

    private var sys: [String: JSONValue]? { members["sys"]?.object }

    /// The text `sys.id`; nil if it is missing or empty.
    public var id: String? { ContentEntry.text(sys?["id"]) }

    /// The id of the content type; nil if it is missing.
    public var contentType: String? {
        ContentEntry.text(sys?["contentType"]?.object?["sys"]?.object?["id"])
    }

    /// Empty if there are none.
    public var fields: [String: JSONValue] { members["fields"]?.object ?? [:] }

    public subscript(field: String) -> JSONValue? { members["fields"]?.object?[field] }

    /// Why this is not a complete entry; nil if it is one.
    public var problem: EntryProblem? {
        guard let sys else { return .noSys }
        if let type = sys["type"]?.string, type != "Entry" { return type == "Link" ? .unresolvedLink : .notAnEntry }
        guard ContentEntry.text(sys["id"]) != nil else { return .noID }
        guard case .object? = members["fields"] else { return .noFields }
        return nil
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard case .string(let text)? = value, !text.isEmpty else { return nil }
        return text
    }
}

/// Why an object is not a complete entry.
public enum EntryProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is a link to an entry that did not come along.
    case unresolvedLink
    case noSys
    case noID
    case noFields
    /// Such as an asset or a deleted entry.
    case notAnEntry
    /// An entry of another content type.
    case otherContentType
    /// An experience without `nt_experience_id`.
    case noExperienceID
    /// Not even an object.
    case notAnObject

    public var description: String {
        switch self {
        case .unresolvedLink: "is an unresolved link; ask the delivery service with include=10 and replace the links"
        case .noSys: "has no sys"
        case .noID: "has no sys.id"
        case .noFields: "has no fields"
        case .notAnEntry: "is not an entry"
        case .otherContentType: "has another content type"
        case .noExperienceID: "has no nt_experience_id"
        case .notAnObject: "is not an object"
        }
    }
}
