public import PushDispatch

/// A condition that the server checks: the records of an object that belong on this device.
///
/// Names of fields are API names. A field of a related record is named by its path, such as `Account.OwnerId`. A name that
/// could change the meaning of a query is refused when the query is made, and values are escaped.
///
/// ```swift
/// let territory = RecordFilter.field("Territory__c", isOneOf: ["North", "West"])
/// let briefcase = RecordFilter.records(pinned)
/// accounts.filter = .any([.owner(user), territory, briefcase])
/// ```
public indirect enum RecordFilter: Hashable, Sendable {
    public enum Comparison: String, Hashable, Sendable, CaseIterable {
        case equal = "="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    public enum Value: Hashable, Sendable {
        case string(String)
        case id(RecordID)
        case integer(Int64)
        /// Has to be finite.
        case number(Double)
        case bool(Bool)
        /// A date with a time.
        case date(ServerDate)
        /// The days before today and today, by the server's clock. Records leave such a scope without a change, so only the
        /// comparison of all ids removes them.
        case lastDays(Int)
        case null
    }

    case compare(field: String, Comparison, Value)
    /// An empty list matches no record.
    case among(field: String, [Value])
    case hasPrefix(field: String, String)
    case contains(field: String, String)
    /// The field has a value that `column` has in a record of `object` that matches `filter`. The CRM takes it only at the top
    /// level and inside `all`, and answers `MALFORMED_QUERY` otherwise.
    case related(field: String, column: String, object: String, filter: RecordFilter?)
    /// Every record if there are no conditions.
    case all([RecordFilter])
    /// No record if there are no conditions.
    case any([RecordFilter])
    case not(RecordFilter)
}

extension RecordFilter {
    public static func field(_ name: String, _ comparison: Comparison, _ value: Value) -> RecordFilter {
        .compare(field: name, comparison, value)
    }

    public static func field(_ name: String, isOneOf values: [Value]) -> RecordFilter {
        .among(field: name, values)
    }

    /// Records that refer to others, for example the contacts of the user's accounts.
    ///
    /// - Parameters:
    ///   - column: A field of the other object.
    ///   - filter: Which of the other records count; nil for all that the user may see.
    public static func field(
        _ name: String, isIn column: String, of object: String, where filter: RecordFilter? = nil
    ) -> RecordFilter {
        .related(field: name, column: column, object: object, filter: filter)
    }

    public static func owner(_ user: RecordID) -> RecordFilter { .compare(field: "OwnerId", .equal, .id(user)) }

    /// Exactly these records, for example those of a briefcase.
    public static func records(_ ids: [RecordID]) -> RecordFilter { .among(field: "Id", ids.map { .id($0) }) }
}

extension RecordFilter.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral text: String) { self = .string(text) }

    public init(integerLiteral number: Int64) { self = .integer(number) }

    public init(booleanLiteral flag: Bool) { self = .bool(flag) }
}
