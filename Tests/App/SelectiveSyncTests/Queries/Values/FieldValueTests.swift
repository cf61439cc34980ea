import PushDispatch
import TestSeeds
import Testing

@testable import SelectiveSync

struct FieldValueTests {
    /// In the order of a sort.
    private static let ordered: [FieldValue] = [
        .none, .number(-.infinity), .integer(.min), .number(-1.5), .integer(-1), .integer(0), .number(0.5), .integer(1),
        .integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993), .integer(.max), .number(0x1p63),
        .text(""), .text("1"), .text("A"), .text("Z"), .text("a"), .text("e\u{301}"), .text("z"), .text("\u{e9}"),
        .text("\u{ffff}"), .text("\u{10000}"),
    ]

    @Test func `no value comes first, then numbers, then text by its bytes`() {
        for (one, left) in Self.ordered.enumerated() {
            for (two, right) in Self.ordered.enumerated() {
                #expect(left.compared(to: right).signum() == (one - two).signum(), "\(left) \(right)")
            }
        }
    }

    @Test func `an integer and a number with the same value are equal`() {
        #expect(FieldValue.integer(5).compared(to: .number(5)) == 0)
        #expect(FieldValue.number(-0.0).compared(to: .integer(0)) == 0)
        #expect(FieldValue.integer(.max).compared(to: .number(0x1p63)) < 0)
        #expect(FieldValue.integer(.min).compared(to: .number(-0x1p63)) == 0)
    }

    @Test func `a Boolean is a number, and null, an array and an object are no value`() {
        #expect(FieldValue(.bool(true)) == .integer(1))
        #expect(FieldValue(.bool(false)) == .integer(0))
        for value: JSONValue? in [.null, .array([1]), .object(["a": 1]), .number(.nan), nil] {
            #expect(FieldValue(value) == .none)
        }
    }

    @Test func `readings: exact, without case, as a date`() {
        let fields: [String: JSONValue] = [
            "Name": "ÄRZTE Σ", "Day": "1970-01-02", "At": "1970-01-01T01:00:00.001+0100", "N": 5,
            "Owner": ["Name": "Ann"],
        ]
        #expect(RecordField("Name").value(in: fields) == .text("ÄRZTE Σ"))
        #expect(RecordField("Name").ignoringCase.value(in: fields) == .text("ärzte σ"))
        #expect(RecordField("N").ignoringCase.value(in: fields) == .integer(5))
        #expect(RecordField("Day").asDate.value(in: fields) == .integer(86_400_000))
        #expect(RecordField("At").asDate.value(in: fields) == .integer(1))
        for name in ["Name", "N", "none"] { #expect(RecordField(name).asDate.value(in: fields) == .none) }
        #expect(RecordField("Owner.Name").value(in: fields) == .text("Ann"))
        #expect(RecordField("Owner.None").value(in: fields) == .none)
        #expect(RecordField("Name.None").value(in: fields) == .none)
    }

    /// Every value of a random record, from its dictionary and from its bytes.
    @Test(arguments: TestSeed.all(0..<50))
    func `a scan of the bytes finds what is in the dictionary`(seed: TestSeed) {
        var generator = seed.generator
        var fields: [String: JSONValue] = [:]
        for _ in 0..<8 { fields[name(&generator)] = value(&generator, depth: 0) }
        let bytes = JSONValue.object(fields).compactBytes
        for path in ["a", "b", "a.b", "b.a", "a.b.a", "c", "A", "", "a.", ".a", "\u{e4}"] {
            let expected = RecordField(path).value(in: fields)
            #expect(scan(path, bytes) == expected, "\(path) in \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(arguments: TestSeed.all(0..<50))
    func `a scan of damaged bytes ends`(seed: TestSeed) {
        var generator = seed.generator
        var bytes = JSONValue.object(["a": "x\n\"", "b": ["a": [1, "\\"]], "c": .number(1.5e300)]).compactBytes
        for _ in 0..<3 {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
        for count in 0...bytes.count {
            for path in ["a", "b.a", "c", "zz"] { _ = scan(path, Array(bytes.prefix(count))) }
        }
    }

    private func scan(_ path: String, _ bytes: [UInt8]) -> FieldValue {
        Array(path.utf8).withUnsafeBufferPointer { path in
            bytes.withUnsafeBufferPointer { FieldScanner.find(path, in: $0).value }
        }
    }

    private func name(_ generator: inout TestGenerator) -> String {
        ["a", "b", "c", "A", "a\"", "b\\", "\u{e4}", ""].randomElement(using: &generator)!
    }

    private func value(_ generator: inout TestGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth < 3 ? 10 : 7), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .integer(Int64(truncatingIfNeeded: generator.next()))
        case 3:
            let number = Double(bitPattern: generator.next())
            return .number(number.isFinite ? number : 0.1)
        case 4: return .number(Double(Int.random(in: -3...3, using: &generator)))
        case 5: return .string(["", "a,b", "}", "\"x\"", "\\", "ß\n", "\u{0}", "😀"].randomElement(using: &generator)!)
        case 6: return "plain"
        case 7: return .array((0..<2).map { _ in value(&generator, depth: depth + 1) })
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<3 { members[name(&generator)] = value(&generator, depth: depth + 1) }
            return .object(members)
        }
    }
}
