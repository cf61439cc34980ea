import APNSPayload
import ConfigurationText
import PayloadLint
import Testing

struct ContractReaderTests {
    private func contracts(_ text: String) -> (contracts: [ApplicationContract], errors: [String]) {
        var resolver = Files(contents: ["/project/.apns-validate.yaml": text]).resolver()
        let settings = resolver.found(for: "a.json")
        return (settings?.contracts ?? [], resolver.takeErrors().map(\.description))
    }

    private func value(_ text: String) -> (value: ContractValue?, errors: [String]) {
        let read = contracts("contracts: [{name: X, match: everything, keys: {k: \(text)}}]")
        return (read.contracts.first?.keys.first?.value, read.errors)
    }

    @Test func `a contract is read with all its settings`() throws {
        let text = """
            contracts:
              - name: ORDER
                match: {key: type, value: ORDER}
                keys:
                  orderId: {type: string, format: uuid}
                  note: {type: string, max-length: 20, required: no}
                  /a/b: boolean
                other-keys: no
                forbidden: {email: personal data, x: }
                visibility: silent
                max-bytes: 2048
              - {name: ANY, match: everything}
              - {name: KEY, match: {key: type}, forbidden: [a, b]}
            """
        let read = contracts(text)
        #expect(read.errors.isEmpty)
        #expect(
            read.contracts == [
                ApplicationContract(
                    name: "ORDER", match: .value("ORDER", ofKey: "type"),
                    keys: [
                        ContractKey("orderId", .string(.uuid)),
                        ContractKey("note", .string(length: 0...20), isRequired: false),
                        ContractKey("/a/b", .boolean),
                    ], allowsOtherKeys: false,
                    forbiddenKeys: [.init("email", reason: "personal data"), .init("x")], visibility: .silent,
                    maximumBytes: 2048),
                ApplicationContract(name: "ANY", match: .everything),
                ApplicationContract(name: "KEY", match: .key("type"), forbiddenKeys: [.init("a"), .init("b")]),
            ])
    }

    @Test(arguments: [
        ("string", ContractValue.string()), ("any", .any), ("object", .object),
        ("{type: integer, minimum: 0}", .integer(0...(.max))),
        ("{type: integer, minimum: -1, maximum: 9}", .integer(-1...9)),
        ("{type: number, maximum: 1.5}", .number(-.infinity...1.5)),
        (
            "{type: array, items: {type: array, items: boolean}, min-items: 1}",
            .array(of: .array(of: .boolean), count: 1...(.max))
        ),
        ("{type: string, enum: [open, 1]}", .string(.oneOf(["open", "1"]))),
        ("{type: string, format: url, schemes: [HTTPS]}", .string(.url(schemes: ["https"]))),
        ("{type: string, format: record-id, min-length: 18, max-length: 18}", .string(.recordID, length: 18...18)),
    ])
    func `a value is read with its type and limits`(text: String, wanted: ContractValue) {
        let read = value(text)
        #expect(read.value == wanted)
        #expect(read.errors.isEmpty, "\(read.errors)")
    }

    @Test(arguments: [
        ("strin", ":1:52: contracts[0].keys.k: \"strin\" is none of any, string, integer"),
        ("{format: uuid}", "the key type is missing; it is one of any, string"),
        ("{type: integer, format: uuid}", "contracts[0].keys.k.format: there is no such key; expected type, minimum"),
        (
            "{type: string, format: uid}",
            "\"uid\" is none of record-id, uuid, date, date-time, url, hex, base64, any; did you mean uuid?"
        ),
        ("{type: string, pattern: '[a'}", "is not a valid pattern: column 3"),
        ("{type: string, format: hex, enum: [a]}", "format and enum exclude each other"),
        ("{type: string, schemes: [https]}", "schemes is allowed with format url only"),
        ("{type: number, minimum: 2, maximum: 1}", "the minimum, 2.0, is greater than the maximum, 1.0"),
        ("{type: array, min-items: -1}", "\"-1\" is given where a number from 0 is expected"),
        ("{type: array, items: strin}", "contracts[0].keys.k.items: \"strin\" is none of"),
        ("{type: integer, maximum: 1.5}", "\"1.5\" is given where an integer is expected"),
        ("{type: number, maximum: much}", "\"much\" is given where a number is expected"),
    ])
    func `an invalid value is reported`(text: String, message: String) {
        let errors = value(text).errors
        #expect(errors.contains { $0.contains(message) }, "\(errors)")
    }

    @Test(arguments: [
        ("contracts: [{match: everything}]", "contracts[0]: the key name is missing, which is the name for messages"),
        (
            "contracts: [{name: X}]",
            "contracts[0]: the key match is missing, which selects the payloads that it applies to"
        ),
        ("contracts: [{name: X, match: all}]", "contracts[0].match: \"all\" is none of everything"),
        ("contracts: [{name: X, match: {value: a}}]", "contracts[0].match: the key key is missing"),
        ("contracts: [{name: X, match: everything, visibility: shown}]", "\"shown\" is none of any, silent, visible"),
        ("contracts: [{name: X, match: everything, other-keys: maybe}]", "is given where true or false is expected"),
        (
            "contracts: [{name: X, match: everything}, {name: X, match: everything}]",
            "there is already a contract with the name X"
        ),
        ("contracts: [X]", "contracts[0]: \"X\" is given where a mapping"),
        (
            "contracts: [{name: ORDER, match: everything}]\noverrides: [{paths: a, contracts: [ORDR]}]",
            ":2:36: overrides[0].contracts[0]: there is no contract \"ORDR\"; did you mean ORDER?"
        ),
    ])
    func `an invalid contract is reported`(text: String, message: String) {
        let errors = contracts(text).errors
        #expect(errors.contains { $0.contains(message) }, "\(errors)")
    }

    @Test func `an override selects contracts, and an extending configuration replaces them`() {
        var resolver = Files(contents: [
            "/project/base.yaml": "contracts: [{name: A, match: everything}, {name: B, match: everything}]",
            "/project/.apns-validate.yaml": """
            extends: base.yaml
            contracts: [{name: B, match: {key: type}}]
            overrides: [{paths: one/**, contracts: [B]}, {paths: none/**, contracts: []}]
            """,
        ]).resolver()
        let names = ["x.json", "one/x.json", "none/x.json"].map { resolver.found(for: $0)?.contracts.map(\.name) }
        #expect(names == [["A", "B"], ["B"], []])
        #expect(resolver.all[0].contracts.last?.match == .key("type"))
        #expect(resolver.takeErrors().isEmpty)
    }
}
