/// The app's own keys, which are beside `aps`.
///
/// ```swift
/// let custom: CustomData = ["order": 4711, "lines": ["tea", "rice"]]
/// ```
public struct CustomData: Hashable, Sendable {
    public private(set) var values: [String: PayloadValue] = [:]

    public init() {}

    /// - Throws: If one of the keys is `aps`, which belongs to Apple.
    public init(_ values: [String: PayloadValue]) throws(ReservedKeyError) {
        if values.keys.contains("aps") { throw ReservedKeyError(key: "aps") }
        self.values = values
    }

    public subscript(key: String) -> PayloadValue? { values[key] }

    /// Sets the value of a key; nil removes the key.
    ///
    /// - Throws: If the key is `aps`.
    public mutating func set(_ value: PayloadValue?, for key: String) throws(ReservedKeyError) {
        if key == "aps" { throw ReservedKeyError(key: key) }
        values[key] = value
    }
}

extension CustomData: ExpressibleByDictionaryLiteral {
    /// The last value of a repeated key is used.
    public init(dictionaryLiteral members: (String, PayloadValue)...) {
        precondition(
            !members.contains { $0.0 == "aps" }, "\"aps\" is Apple's key; give the app's own data another name")
        values = Dictionary(members) { _, last in last }
    }
}
