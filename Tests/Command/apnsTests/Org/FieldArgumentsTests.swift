import ArgumentParser
import PushDispatch
import Testing

@testable import apns

struct FieldArgumentsTests {
    @Test func `fields are strings, cleared, or JSON`() throws {
        let fields = try FieldArguments.fields(["Name=A = B", "Type=", "Count:=7", "Tags:=[\"x\"]"])
        #expect(fields == ["Name": "A = B", "Type": .null, "Count": .integer(7), "Tags": ["x"]])
    }

    @Test(arguments: ["Name", "=x", "Count:={"]) func `other words are refused`(word: String) {
        #expect(throws: ValidationError.self) { try FieldArguments.fields([word]) }
    }
}
