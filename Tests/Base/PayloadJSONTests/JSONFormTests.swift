import PayloadJSON
import Testing

struct JSONFormTests {
    @Test(
        arguments: [
            (#""""#, .emptyString), (#""a""#, .string), (#""\u0031""#, .string), ("0", .zero), ("1", .one),
            ("2", .smallInteger),
            ("9", .smallInteger), ("10", .smallInteger), ("999999999", .smallInteger), ("1000000000", .tenDigits),
            ("9999999999", .tenDigits),
            ("10000000000", .other), ("-100000000", .other),
            ("-1", .other),
            ("-0", .other), ("0.5", .fraction), ("0.0625", .fraction), ("0.0", .other), ("0.000", .other),
            ("1.0", .other),
            ("1.5", .other),
            ("0.5e1", .other), ("0.5E0", .other), ("5e-1", .other), ("-0.5", .other), ("0e0", .other), ("true", .true),
            ("false", .false), ("null", .other), ("{}", .object), (#"{"a":1}"#, .object), ("[]", .emptyArray),
            (#"["a"]"#, .strings), (#"["a",""]"#, .strings), (#"["a",1]"#, .other), (#"[["a"]]"#, .other),
            ("[null]", .other), (#"["a",{}]"#, .other),
        ] as [(String, JSONForm)])
    func `each value has its form`(text: String, form: JSONForm) throws {
        #expect(try JSONDocument(Array(text.utf8)).form(of: .root) == form)
        let member = try JSONDocument(Array(#"{"a":\#(text),"b":1}"#.utf8))
        let value = try #require(member.member("a", of: .root))
        #expect(member.form(of: value) == form)
    }

    @Test func `a scan returns the forms of the known names, and whether they are incomplete`() throws {
        let table = JSONKeyTable([("a", 0), ("b", 63)])
        let forms = try forms(#"{"a":"x","b":1}"#, table)
        #expect(!forms.hasOther)
        #expect(try forms == self.forms(#"{"b":1,"c":null,"a":"yy"}"#, table))
        #expect(try forms != self.forms(#"{"a":"x","b":2}"#, table))
        #expect(try forms != self.forms(#"{"a":1,"b":"x"}"#, table))
        #expect(try self.forms(#"{"a":null}"#, table).hasOther)
        #expect(try self.forms(#"{"a":"x","a":"x"}"#, table).hasOther, "which of the two is read is another matter")
        var rest = forms
        rest.remove(1)
        #expect(try rest == self.forms(#"{"b":1}"#, table))
    }

    private func forms(_ text: String, _ table: JSONKeyTable) throws -> JSONForms {
        var values = [JSONIndex](repeating: .root, count: 64)
        return try JSONDocument(Array(text.utf8)).scan(.root, for: table, into: &values).forms
    }
}
