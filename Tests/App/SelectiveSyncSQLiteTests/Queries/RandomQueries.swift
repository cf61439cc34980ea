import PushDispatch
import SelectiveSync
import TestSeeds

/// Random records and queries that have much in common, so that many comparisons are close.
struct RandomQueries {
    var generator: TestGenerator

    private static let names = ["A", "B", "At", "Owner.A"]
    private static let texts = [
        "", "a", "A", "ab", "aB", "Ab", "ä", "Ä", "a\u{308}", "ß", "SS", "é", "E\u{301}", "z", "10", "5", "5.0", "東京",
        "b%_*\"'", "x y", "X-Y", "\u{0}", "a\u{0}b", "\u{ffff}", "\u{10ffff}", "\u{d7ff}", "İ", "Σ", "😀",
        "local_000000001",
        "2026-05-20T20:00:00.000+0000", "2026-05-20T22:00:00.000+0200", "2026-05-20", "2026-05-20T20:00:00.001Z",
    ]
    private static let numbers: [JSONValue] = [
        0, 1, -1, 5, .number(5), .number(5.5), .number(0.1), .number(0.30000000000000004), .number(1e300),
        .number(-0.0), .integer(.max), .integer(.min), .number(0x1p63), .integer(9_007_199_254_740_993),
        .number(9_007_199_254_740_992), .number(.leastNonzeroMagnitude),
    ]

    init(_ seed: TestSeed) { generator = seed.generator }

    mutating func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &generator) < one }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func text() -> String { Self.texts.randomElement(using: &generator)! }

    private mutating func json() -> JSONValue {
        switch number(0..<12) {
        case 0: .null
        case 1: .bool(chance(1, in: 2))
        case 2...4: Self.numbers.randomElement(using: &generator)!
        case 5: .array(["a"])
        default: .string(text())
        }
    }

    mutating func fields() -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        for name in ["A", "B", "At"] where chance(5, in: 6) { fields[name] = json() }
        if chance(1, in: 2) { fields["Owner"] = chance(4, in: 5) ? .object(["A": json()]) : json() }
        return fields
    }

    mutating func record() -> LocalRecord {
        let key = chance(1, in: 5) ? RecordKey.local(number(0..<6)) : .server(.test(number(0..<30)))
        var record = LocalRecord(key, fields: fields())
        if chance(1, in: 4) { record.changes = LocalRecord.Changes(rawValue: number(0..<8)) }
        record.isGone = chance(1, in: 8)
        return record
    }

    mutating func field() -> RecordField {
        let reading: [RecordField.Reading] = [.value, .value, .ignoringCase, .date]
        return RecordField(
            Self.names.randomElement(using: &generator)!, reading.randomElement(using: &generator)!)
    }

    private mutating func value(dates: Bool? = nil) -> QueryValue {
        if dates ?? chance(1, in: 6) {
            return .date(ServerDate(millisecondsSince1970: 1_779_307_200_000 + Int64(number(-1..<2))))
        }
        switch number(0..<6) {
        case 0: return .null
        case 1, 2:
            switch Self.numbers.randomElement(using: &generator)! {
            case .integer(let integer): return .integer(integer)
            case .number(let number): return .number(number)
            default: return .number(.infinity)
            }
        default: return .text(text())
        }
    }

    mutating func condition(depth: Int = 0) -> RecordCondition {
        switch number(0..<(depth < 3 ? 13 : 9)) {
        case 0...3:
            return .compare(field(), RecordCondition.Comparison.allCases.randomElement(using: &generator)!, value())
        case 4:
            let dates = chance(1, in: 4)
            return .isIn(field(), (0..<number(0..<4)).map { _ in chance(1, in: 5) ? .null : value(dates: dates) })
        case 5: return .hasPrefix(field(), text())
        case 6: return .contains(field(), text())
        case 7: return .search(chance(1, in: 2) ? text() : "\(text()) \(text())")
        case 8: return [.isDirty, .isGone, .always].randomElement(using: &generator)!
        case 9: return .not(condition(depth: depth + 1))
        case 10: return .or((0..<number(0..<4)).map { _ in condition(depth: depth + 1) })
        default: return .and((0..<number(0..<4)).map { _ in condition(depth: depth + 1) })
        }
    }

    mutating func query() -> RecordQuery {
        let order = (0..<number(0..<4)).map { _ in RecordOrder.random(field(), chance(1, in: 2)) }
        var query = RecordQuery(
            "Account", where: chance(1, in: 4) ? .always : condition(), order: order, limit: number(0..<12))
        query.includesDeleted = chance(1, in: 4)
        if chance(1, in: 4) { query.offset = number(0..<5) }
        return query
    }

    mutating func indexes() -> QueryIndexes {
        let indexes = (0..<number(0..<4)).map { _ in
            RecordIndex("Account", (0..<number(1..<3)).map { _ in field() })
        }
        return QueryIndexes(indexes, search: ["Account": ["A", "Owner.A"]])
    }
}

extension RecordOrder {
    fileprivate static func random(_ field: RecordField, _ isDescending: Bool) -> RecordOrder {
        isDescending ? .descending(field) : .ascending(field)
    }
}
