package import PushDispatch

/// What a query reads from a field, in the order of a sort: no value, numbers by their value, text by its UTF-8 bytes.
///
/// SQLite has the same order of its values, so both stores compare alike.
package enum FieldValue: Hashable, Sendable {
    case none
    case integer(Int64)
    case number(Double)
    case text(String)

    package init(_ value: JSONValue?) {
        switch value {
        case .bool(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let integer): self = .integer(integer)
        // A number that is not finite is stored as null.
        case .number(let number): self = number.isFinite ? .number(number) : .none
        case .string(let text): self = .text(text)
        case .array, .object, .null, nil: self = .none
        }
    }

    package enum Kind { case none, number, text }

    package var kind: Kind {
        switch self {
        case .none: .none
        case .integer, .number: .number
        case .text: .text
        }
    }

    /// - Returns: Negative if this value comes first, 0 if the values are equal.
    package func compared(to other: FieldValue) -> Int {
        switch (self, other) {
        case (.none, .none): 0
        case (.none, _): -1
        case (_, .none): 1
        case (.integer(let one), .integer(let two)): one < two ? -1 : one == two ? 0 : 1
        case (.number(let one), .number(let two)): one < two ? -1 : one == two ? 0 : 1
        case (.integer(let one), .number(let two)): FieldValue.compare(one, two)
        case (.number(let one), .integer(let two)): -FieldValue.compare(two, one)
        case (.text(let one), .text(let two)): one.precedesByBytes(two) ? -1 : two.precedesByBytes(one) ? 1 : 0
        case (.text, _): 1
        case (_, .text): -1
        }
    }

    /// Exact, also where `Double` has no such integer.
    private static func compare(_ integer: Int64, _ number: Double) -> Int {
        if number >= 0x1p63 { return -1 }
        if number < -0x1p63 { return 1 }
        let whole = Int64(number)
        guard integer == whole else { return integer < whole ? -1 : 1 }
        let fraction = number - number.rounded(.towardZero)
        return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
    }
}

// Reading fields.
extension FieldValue {
    package func read(_ reading: RecordField.Reading) -> FieldValue {
        switch (reading, self) {
        case (.value, _): self
        case (.ignoringCase, .text(let text)): .text(FieldValue.lowercased(text))
        case (.ignoringCase, _): self
        case (.date, .text(let text)): FieldValue.date(text).map { .integer($0.millisecondsSince1970) } ?? .none
        case (.date, _): .none
        }
    }

    /// The same for the same text in every version of this library: an index contains it.
    package static func lowercased(_ text: String) -> String { text.lowercased() }

    /// A date-time, or the midnight of a date in UTC.
    package static func date(_ text: String) -> ServerDate? {
        ServerDate(text.utf8.count == "2026-05-20".utf8.count ? text + "T00:00:00Z" : text)
    }
}

extension RecordField {
    package func value(in fields: [String: JSONValue]) -> FieldValue {
        FieldValue(member(of: fields)).read(reading)
    }

    private func member(of fields: [String: JSONValue]) -> JSONValue? {
        guard name.utf8.contains(UInt8(ascii: ".")) else { return fields[name] }
        var found: JSONValue? = .object(fields)
        for part in name.split(separator: ".", omittingEmptySubsequences: false) {
            found = found?.object?[String(part)]
        }
        return found
    }
}
