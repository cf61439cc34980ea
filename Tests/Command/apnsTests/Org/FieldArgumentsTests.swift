import ArgumentParser
import PushDispatch
import Testing

@testable import apns

struct FieldArgumentsTests {
    @Test func `fields are strings, cleared, or JSON`() throws {
        let fields = try FieldArguments.fields(["Name=A = B", "Type=", "Count:=7", "Tags:=[\"x\"]"])
        #expect(fields == ["Name": "A = B", "Type": .null, "Count": .integer(7), "Tags": ["x"]])
    }

    @Test func `a field that is set twice is refused`() {
        #expect(throws: ValidationError.self) { try FieldArguments.fields(["Name=a", "Name=b"]) }
        #expect(throws: ValidationError.self) { try FieldArguments.fields(["Name=", "Name:=7"]) }
    }

    @Test func `a record that is named twice is changed once`() {
        let words = ["001xx0000000001", "Name=x", "001xx0000000001AAA", "x", "001xx0000000002AAA", "x"]
        #expect(OrgEditCommand.ids(in: words) == ["001xx0000000001", "x", "001xx0000000002AAA"])
    }

    @Test func `a transaction takes a duration up to a day`() throws {
        for good in [nil, "0s", "10m", "24h", "1d"] { try TransactionArgument.check(good) }
        for bad in ["10x", "", "25h", "-1m", "10"] {
            #expect(throws: ValidationError.self, "\(bad)") { try TransactionArgument.check(bad) }
        }
    }

    @Test(arguments: ["Name", "=x", "Count:={"]) func `other words are refused`(word: String) {
        #expect(throws: ValidationError.self) { try FieldArguments.fields([word]) }
    }
}
