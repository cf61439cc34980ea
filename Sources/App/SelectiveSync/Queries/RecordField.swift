/// A field of a record in a query, and how its value is read.
///
/// ```swift
/// let condition = RecordField("Type") == "Customer" && RecordField("Name").ignoringCase >= "m"
/// ```
public struct RecordField: Hashable, Sendable {
    public enum Reading: String, Hashable, Sendable {
        /// Numbers by their value, text by its UTF-8 bytes. A Boolean is 1 or 0, because a device cannot always distinguish
        /// them. `null`, an array and an object are not values.
        case value
        /// As `value`, with text in the lower case of Unicode, whatever the user's language.
        case ignoringCase
        /// Text that is a date-time or a date of the server, as an instant. A date is its midnight in UTC. Everything else is no
        /// value.
        case date
    }

    /// The API name. A field of a related record is written with dots: `Owner.Name`.
    public let name: String
    public let reading: Reading

    public init(_ name: String, _ reading: Reading = .value) {
        self.name = name
        self.reading = reading
    }

    public var ignoringCase: RecordField { RecordField(name, .ignoringCase) }

    public var asDate: RecordField { RecordField(name, .date) }

    /// Letters, digits and `_`, in parts that are separated by dots. Such a name needs no escaping in a statement.
    var isValid: Bool {
        name.utf8.count <= 255
            && name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { RecordField.isPlain($0) }
    }

    static func isPlain(_ name: some StringProtocol) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension RecordField {
    public static func == (field: RecordField, value: QueryValue) -> RecordCondition { .compare(field, .equal, value) }

    /// True for a record without a value too, unless `value` is nil.
    public static func != (field: RecordField, value: QueryValue) -> RecordCondition {
        .compare(field, .notEqual, value)
    }

    public static func < (field: RecordField, value: QueryValue) -> RecordCondition { .compare(field, .less, value) }

    public static func <= (field: RecordField, value: QueryValue) -> RecordCondition {
        .compare(field, .lessOrEqual, value)
    }

    public static func > (field: RecordField, value: QueryValue) -> RecordCondition { .compare(field, .greater, value) }

    public static func >= (field: RecordField, value: QueryValue) -> RecordCondition {
        .compare(field, .greaterOrEqual, value)
    }

    /// Whether the value equals one of `values`.
    public func isIn(_ values: [QueryValue]) -> RecordCondition { .isIn(self, values) }

    /// Whether the value is text that starts with `prefix`.
    public func hasPrefix(_ prefix: String) -> RecordCondition { .hasPrefix(self, prefix) }

    /// Whether the value is text that contains `text`. No index helps; `RecordCondition.search` finds words by one.
    public func contains(_ text: String) -> RecordCondition { .contains(self, text) }
}
