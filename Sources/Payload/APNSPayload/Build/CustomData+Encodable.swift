#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension CustomData {
    /// The members of an encoded value, such as a struct of the app that is `Codable`.
    ///
    /// ```swift
    /// let custom = try CustomData(encoding: Order(number: 4711, lines: ["tea", "rice"]))
    /// ```
    ///
    /// - Parameters:
    ///   - value: Its JSON has to be an object without null and without the key `aps`.
    ///   - encoder: For its strategies, such as that for dates.
    /// - Throws: `PayloadValueError` or `ReservedKeyError`, or what the value's `encode(to:)` throws.
    public init(encoding value: some Encodable, with encoder: JSONEncoder = JSONEncoder()) throws {
        switch try PayloadValue(json: try encoder.encode(value)) {
        case .object(let members): try self.init(members)
        case let other:
            throw PayloadValueError(
                offset: 0, detail: "\(type(of: value)) is encoded as \(other.kindName); custom data is an object")
        }
    }
}

extension PayloadValue {
    fileprivate var kindName: String {
        switch self {
        case .string: "a string"
        case .integer, .number: "a number"
        case .boolean: "a boolean"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
