/// Which records a query wants.
///
/// A comparison of a value of another kind than the field's is false: `<` and `>` never compare text with a number, and a
/// field without a value is smaller and larger than nothing. A condition is true or false, so `not` makes it the opposite.
public indirect enum RecordCondition: Hashable, Sendable {
    public enum Comparison: Hashable, Sendable, CaseIterable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }

    /// Every record.
    case always
    case compare(RecordField, Comparison, QueryValue)
    case isIn(RecordField, [QueryValue])
    case hasPrefix(RecordField, String)
    case contains(RecordField, String)
    /// Full-text search: for each word of the text, a field that the app has declared for the object (`QueryIndexes.search`)
    /// has a word that begins with it. "nor kra" finds "Nordwind" in "Kraków". Case, accents and everything but letters and
    /// digits do not count. A text without words finds every record.
    case search(String)
    /// The record has edits that the server lacks.
    case isDirty
    /// The server no longer shows the record.
    case isGone
    /// All of them; true if there are none.
    case and([RecordCondition])
    /// At least one of them; false if there are none.
    case or([RecordCondition])
    case not(RecordCondition)
}

extension RecordCondition {
    public static func && (one: RecordCondition, other: RecordCondition) -> RecordCondition {
        switch (one, other) {
        case (.and(let list), _): .and(list + [other])
        default: .and([one, other])
        }
    }

    public static func || (one: RecordCondition, other: RecordCondition) -> RecordCondition {
        switch (one, other) {
        case (.or(let list), _): .or(list + [other])
        default: .or([one, other])
        }
    }

    public static prefix func ! (condition: RecordCondition) -> RecordCondition { .not(condition) }

    /// The conditions that all have to hold.
    package var conjuncts: [RecordCondition] {
        switch self {
        case .always: []
        case .and(let list): list.flatMap(\.conjuncts)
        default: [self]
        }
    }

    /// Whether a full-text search is part of it.
    package var hasSearch: Bool {
        switch self {
        case .search: true
        case .and(let list), .or(let list): list.contains(where: \.hasSearch)
        case .not(let condition): condition.hasSearch
        default: false
        }
    }
}

// Values.
extension QueryValue {
    /// The field as it is read for a comparison with this value, and the value in the form that the reading has.
    package func comparable(with field: RecordField) -> (field: RecordField, value: FieldValue) {
        switch self {
        case .null: (field, .none)
        case .integer(let integer): (field, .integer(integer))
        case .number(let number): (field, .number(number))
        case .text(let text): (field, .text(field.folded(text)))
        case .date(let date): (field.asDate, .integer(date.millisecondsSince1970))
        }
    }
}

extension RecordField {
    /// A text of a condition in the form that the reading has.
    package func folded(_ text: String) -> String {
        reading == .ignoringCase ? FieldValue.lowercased(text) : text
    }
}

// Evaluation in memory.
extension RecordCondition {
    /// - Parameter search: The fields that a full-text search reads.
    package func matches(_ record: LocalRecord, search: [RecordField]) -> Bool {
        switch self {
        case .always: return true
        case .compare(let field, let comparison, let value):
            let (field, wanted) = value.comparable(with: field)
            return comparison.holds(field.value(in: record.fields), wanted)
        case .isIn(let field, let values):
            return values.contains { RecordCondition.compare(field, .equal, $0).matches(record, search: search) }
        case .hasPrefix(let field, let prefix):
            guard case .text(let text) = field.value(in: record.fields) else { return false }
            return text.utf8.starts(with: field.folded(prefix).utf8)
        case .contains(let field, let part):
            guard case .text(let text) = field.value(in: record.fields) else { return false }
            return RecordCondition.contains(Array(text.utf8), Array(field.folded(part).utf8))
        case .search(let text): return SearchWords.matches(text, search, in: record.fields)
        case .isDirty: return record.isDirty
        case .isGone: return record.isGone
        case .and(let list): return list.allSatisfy { $0.matches(record, search: search) }
        case .or(let list): return list.contains { $0.matches(record, search: search) }
        case .not(let condition): return !condition.matches(record, search: search)
        }
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard !part.isEmpty else { return true }
        guard part.count <= text.count else { return false }
        return (0...text.count - part.count).contains { start in
            text[start] == part[0] && text[start..<start + part.count].elementsEqual(part)
        }
    }
}

extension RecordCondition.Comparison {
    fileprivate func holds(_ value: FieldValue, _ wanted: FieldValue) -> Bool {
        let order = value.compared(to: wanted)
        switch self {
        case .equal: return order == 0
        case .notEqual: return order != 0
        case .less: return isOrdered(value, wanted) && order < 0
        case .lessOrEqual: return isOrdered(value, wanted) && order <= 0
        case .greater: return isOrdered(value, wanted) && order > 0
        case .greaterOrEqual: return isOrdered(value, wanted) && order >= 0
        }
    }

    private func isOrdered(_ value: FieldValue, _ wanted: FieldValue) -> Bool {
        value.kind == wanted.kind && wanted != .none
    }
}
