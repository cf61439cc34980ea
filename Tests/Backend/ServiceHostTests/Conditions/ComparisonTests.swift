import ServiceHost
import Testing

struct ComparisonTests {
    /// An operand is a text, or the name of a value behind `$`.
    private func holds(_ comparison: Comparison<String>, _ value: String?) throws -> Bool {
        let values = ["$city": "Jena"]
        return try comparison.holds(value) { $0.hasPrefix("$") ? values[$0] : $0 }
    }

    @Test func `a value is compared with what the operand stands for`() throws {
        #expect(try holds(.equals("$city"), "Jena"))
        #expect(try !holds(.equals("$city"), "Ulm"))
        #expect(try holds(.isIn(["Ulm", "$city"]), "Jena"))
        #expect(try !holds(.isIn([]), "Jena"))
    }

    @Test func `a missing value meets only that it does not exist`() throws {
        for comparison: Comparison<String> in [
            .equals("a"), .equals("$missing"), .isIn(["$missing"]), .exists(true), .greater("1"), .less("1"),
        ] {
            #expect(try !holds(comparison, nil), "\(comparison)")
        }
        #expect(try holds(.exists(false), nil))
        #expect(try !holds(.exists(false), ""))
        #expect(try !holds(.greater("$missing"), "1"))
    }

    @Test func `two numbers are compared as numbers, two other texts by their characters`() throws {
        #expect(try holds(.greater("9"), "10"))
        #expect(try holds(.less("-1"), "-1.5"))
        #expect(try !holds(.greater("10"), "10.0"))
        #expect(try holds(.greater("b"), "c"))
        #expect(try holds(.less("b"), "a10"))
    }

    @Test(arguments: [("10", "ten"), ("ten", "10"), ("1", ""), ("inf", "1")])
    func `a number and a text have no order`(value: String, operand: String) {
        #expect(throws: ComparisonError.self) { try holds(.less(operand), value) }
        #expect(throws: ComparisonError.self) { try holds(.greater(operand), value) }
    }
}
