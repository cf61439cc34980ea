import APNSPayload
import Testing

struct PayloadValueTests {
    private func text(_ value: PayloadValue) -> String { String(decoding: value.encoded(), as: UTF8.self) }

    @Test func `literals become values of their type`() {
        let value: PayloadValue = ["n": 1, "f": 1.0, "t": true, "s": "x\(1)", "a": [1, "2", [3.5]], "o": [:]]
        #expect(text(value) == #"{"a":[1,"2",[3.5]],"f":1.0,"n":1,"o":{},"s":"x1","t":true}"#)
    }

    @Test func `keys are sorted by their bytes`() {
        #expect(text(["b": 1, "a": 2, "B": 3, "é": 4, "😀": 5, "": 6]) == #"{"":6,"B":3,"a":2,"b":1,"é":4,"😀":5}"#)
    }

    @Test(arguments: [
        "0", "-1", "9223372036854775807", "-9223372036854775808", "1.0", "0.1", "-0.0", "1e+300", "5e-324", "true",
        #""a\"\\\n\u0001é😀""#, "[]", "{}", #"[[[{"a":[{}]}]]]"#,
    ])
    func `a written value is read back unchanged`(json: String) throws {
        #expect(text(try PayloadValue(json: json.utf8)) == json)
    }

    @Test func `a whole number that does not fit into 64 bits becomes a Double`() throws {
        #expect(try PayloadValue(json: "18446744073709551616".utf8) == .number(18_446_744_073_709_551_616.0))
    }

    @Test(arguments: [
        ("null", 0), (#"{"a":[1,null]}"#, 8), (#"{"a":1e400}"#, 5), ("{\"a\":1,}", 6), ("", 0), ("\"\\ud800\"", 1),
    ])
    func `JSON that cannot be sent is refused with its offset`(json: String, offset: Int) {
        #expect(throws: PayloadValueError.self) { try PayloadValue(json: json.utf8) }
        do throws(PayloadValueError) {
            _ = try PayloadValue(json: json.utf8)
        } catch {
            #expect(error.offset == offset, "\(error)")
        }
    }

    @Test func `aps is refused as a custom key`() throws {
        #expect(throws: ReservedKeyError(key: "aps")) { try CustomData(["aps": [:]]) }
        var custom: CustomData = ["a": 1]
        #expect(throws: ReservedKeyError(key: "aps")) { try custom.set(1, for: "aps") }
        try custom.set("x", for: "b")
        try custom.set(nil, for: "a")
        #expect(custom == ["b": "x"])
        #expect(custom["b"] == "x")
    }

    @Test func `numbers that JSON cannot represent or Apple does not accept are refused`() {
        #expect(FiniteNumber(.infinity) == nil && FiniteNumber(.nan) == nil)
        #expect([1.01, -0.01, .nan, .infinity].compactMap { UnitFraction($0) }.isEmpty)
        #expect(UnitFraction(clamping: 7).value == 1 && UnitFraction(clamping: .nan).value == 0)
    }

    @Test func `a date counts seconds and refuses milliseconds`() {
        #expect(PushDate(secondsSince1970: 1_767_225_600)?.secondsSince1970 == 1_767_225_600)
        #expect(PushDate(secondsSince1970: 1_767_225_600_000) == nil)
        #expect(PushDate(secondsSince1970: -1) == nil)
        let date: PushDate = 100
        #expect(date.adding(seconds: 5) == 105)
        #expect(date.adding(seconds: -200) == 0)
        #expect(date.adding(seconds: .max).secondsSince1970 == 99_999_999_999)
    }
}
