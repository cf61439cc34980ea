package import PushDispatch

extension JSONValue {
    /// The size as text without escapes, with 4 bytes for each scalar that is not a string.
    package static func leastBytes(of members: [String: JSONValue]) -> Int {
        members.reduce(2) { $0 + $1.key.utf8.count + 4 + leastBytes(of: $1.value) }
    }

    private static func leastBytes(of value: JSONValue) -> Int {
        switch value {
        case .null, .bool, .integer, .number: 4
        case .string(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + leastBytes(of: $1) + 1 }
        case .object(let members): leastBytes(of: members)
        }
    }
}

/// Scalars as text: values are strings, and numbers and Booleans are turned into strings.
package enum ScalarText {
    /// Nil for null, arrays and objects.
    package static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): "\(number)"
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
