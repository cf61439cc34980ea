import Foundation
import PushDispatch

/// Reads the single values of a decision. The service sends texts, prices and truth values too, so each type that an app
/// asks for is also read from a text (docs/reference/personalization.md 2).
enum FieldScalar {
    /// A text; also from a number or a Boolean.
    static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): Int64(exactly: number).map { String($0) } ?? "\(number)"
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// A whole number; also from `"12"` and `"12.0"`.
    static func integer(_ value: JSONValue) -> Int64? {
        switch value {
        case .integer(let number): return number
        case .number(let number): return Int64(exactly: number)
        case .string(let text):
            let text = trimmed(text)
            return Int64(text) ?? number(ofText: text).flatMap { Int64(exactly: $0) }
        default: return nil
        }
    }

    /// A finite number; also from `"49.50"`.
    static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .string(let text): number(ofText: trimmed(text))
        default: nil
        }
    }

    /// An exact decimal number, as prices need it.
    static func decimal(_ value: JSONValue) -> Decimal? {
        guard number(value) != nil, let text = text(value) else { return nil }
        return Decimal(string: trimmed(text), locale: Locale(identifier: "en_US_POSIX"))
    }

    /// A truth value; also from 1 and 0, and from `"true"`, `"false"`, `"1"` and `"0"` in any case.
    static func flag(_ value: JSONValue) -> Bool? {
        guard case .string(let text) = value else { return value.flag }
        switch trimmed(text).lowercased() {
        case "true", "1": return true
        case "false", "0": return false
        default: return nil
        }
    }

    /// A date of ISO 8601: `2026-05-08`, or a date and a time with an offset or `Z`, which UTC is assumed without.
    static func date(_ value: JSONValue) -> Date? {
        guard case .string(let text) = value else { return nil }
        return FieldDate.milliseconds(trimmed(text)).map { Date(timeIntervalSince1970: Double($0) / 1_000) }
    }

    private static func number(ofText text: String) -> Double? {
        // Swift reads `nan`, `inf` and hexadecimal numbers too.
        let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        guard isPlain, text.utf8.count <= 64, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    private static func trimmed(_ text: String) -> String {
        guard text.utf8.first == 0x20 || text.utf8.last == 0x20 else { return text }
        return text.trimmingCharacters(in: .whitespaces)
    }
}
