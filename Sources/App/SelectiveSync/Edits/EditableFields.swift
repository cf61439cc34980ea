package import PushDispatch

/// The fields of a record that the user can change and an upload may send.
package struct EditableFields: Hashable, Sendable {
    private let names: Set<String>?

    /// - Parameter names: Nil allows all fields but those that the server sets and those of related records.
    package init(_ names: [String]? = nil) { self.names = names.map(Set.init) }

    /// Fields that are never sent, because the server sets them.
    private static let serverManaged: Set<String> = [
        "Id", "CreatedById", "CreatedDate", "IsDeleted", "LastActivityDate", "LastModifiedById", "LastModifiedDate",
        "LastReferencedDate", "LastViewedDate", "SystemModstamp",
    ]

    package func contains(_ name: String, _ value: JSONValue?) -> Bool {
        if let names { return names.contains(name) }
        return !EditableFields.serverManaged.contains(name) && !name.hasPrefix("__") && value?.object == nil
    }

    /// The fields that have another value than in `base`; one that `base` lacks has changed.
    package func changes(_ fields: [String: JSONValue], from base: [String: JSONValue]) -> [String: JSONValue] {
        fields.filter { contains($0.key, $0.value) && !EditableFields.same($0.value, base[$0.key]) }
    }

    /// Whether two values are equal as JSON. A field that a version lacks has no known value and equals no value.
    package static func same(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one == other || one.canonicalBytes == other.canonicalBytes
    }
}
