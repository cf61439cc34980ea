public import EventDelivery
public import Foundation
import PushDispatch

/// The typed value of an attribute of an event, or of a variable in the context of a decision.
///
/// A decimal is exact. A date becomes a text such as `2026-05-08T09:15:30.120Z`.
public enum AttributeValue: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case decimal(Decimal)
    case date(EventTime)
    case boolean(Bool)
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral value: String) { self = .text(value) }

    public init(integerLiteral value: Int64) { self = .integer(value) }

    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension AttributeValue {
    /// A text that reads as this value: the text itself, digits, or `true`.
    public var text: String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .decimal(let number): number.description
        case .date(let time): time.description
        case .boolean(let value): value ? "true" : "false"
        }
    }

    /// Appends the value as JSON. A decimal that is not a number becomes `null`.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .text, .date: JSONValue.string(text).append(to: &bytes)
        case .decimal(let number) where number.isNaN: bytes += Array("null".utf8)
        case .integer, .decimal, .boolean: bytes += Array(text.utf8)
        }
    }
}
