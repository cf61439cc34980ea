public import PushDispatch

/// Named values of a decision: the attributes, or the fields of an item. Unknown keys are kept.
public struct DecisionFields: Hashable, Sendable {
    /// All values as they came.
    public var members: [String: JSONValue]

    public init(_ members: [String: JSONValue] = [:]) { self.members = members }

    public var isEmpty: Bool { members.isEmpty }

    /// The names, sorted.
    public var names: [String] { members.keys.sorted() }

    /// A value as text; also a number and a Boolean. Nil for a missing value, `null`, an array and an object.
    public subscript(name: String) -> String? { members[name].flatMap { FieldScalar.text($0) } }

    /// Decodes the values as a type of the app.
    ///
    /// ```swift
    /// struct Product: Decodable {
    ///     var name: String
    ///     var price: Decimal
    ///
    ///     enum CodingKeys: String, CodingKey {
    ///         case name = "ssot__Name__c"
    ///         case price = "UnitPrice__c"
    ///     }
    /// }
    /// ```
    ///
    /// The service sends texts. Where the type asks for a number, a Boolean, a `Decimal`, a `URL` or a `Date` (ISO 8601), the
    /// text is read as one; an empty text is then a missing value. Where it asks for a `String`, a number is taken as text.
    ///
    /// - Throws: `DecodingError`, with the place of the value.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try FieldDecoder.decode(type, from: .object(members), at: [])
    }
}
