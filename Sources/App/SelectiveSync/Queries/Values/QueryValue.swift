/// A value that a condition compares a field with.
public enum QueryValue: Hashable, Sendable {
    /// No value: the field is missing, `null`, an array or an object.
    case null
    case integer(Int64)
    /// Not NaN.
    case number(Double)
    case text(String)
    /// Compared with the field read as a date, whatever reading is written.
    case date(ServerDate)

    /// 1 or 0.
    public static func bool(_ value: Bool) -> QueryValue { .integer(value ? 1 : 0) }
}

extension QueryValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .text(value) }
}

extension QueryValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension QueryValue: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension QueryValue: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension QueryValue: ExpressibleByNilLiteral {
    public init(nilLiteral: ()) { self = .null }
}
