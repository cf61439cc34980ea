/// The app's own keys, which stand beside `aps`.
///
/// ```swift
/// let custom: CustomData = ["order": 4711, "lines": ["tea", "rice"]]
/// ```
public struct CustomData: Hashable, Sendable {
    public private(set) var values: [String: PayloadValue] = [:]

    public init() {}

    /// - Throws: When one of the keys is `aps`, which is Apple's.
    public init(_ values: [String: PayloadValue]) throws(ReservedKeyError) {
        if values.keys.contains("aps") { throw ReservedKeyError(key: "aps") }
        self.values = values
    }

    public subscript(key: String) -> PayloadValue? { values[key] }

    /// Nil takes the key out.
    ///
    /// - Throws: When the key is `aps`.
    public mutating func set(_ value: PayloadValue?, for key: String) throws(ReservedKeyError) {
        if key == "aps" { throw ReservedKeyError(key: key) }
        values[key] = value
    }
}

extension CustomData: ExpressibleByDictionaryLiteral {
    /// Of a key that is written twice the last value counts.
    public init(dictionaryLiteral members: (String, PayloadValue)...) {
        precondition(!members.contains { $0.0 == "aps" }, "aps is not the app's own key")
        values = Dictionary(members) { _, last in last }
    }
}
