import APNSModel
import APNSPayload
import Testing

struct ApplicationContractTests {
    /// Every rule but the one about pushes that do nothing, so that payloads can be short.
    private static let rules = Rule.all.filter { $0 != .pushDoesNothing }

    private func findings(
        _ payload: String, _ contracts: ApplicationContract..., rules: [Rule] = ApplicationContractTests.rules
    ) -> [Finding] {
        var validator = Validator(rules: rules, contracts: contracts)
        return validator.findings(for: Envelope(kind: .payload, payload: Array(payload.utf8)))
    }

    private func contract(
        _ keys: [ContractKey], match: ApplicationContract.Match = .everything, others: Bool = true
    ) -> ApplicationContract {
        ApplicationContract(name: "Order", match: match, keys: keys, allowsOtherKeys: others)
    }

    @Test(
        arguments: [
            (ContractFormat.uuid, ["9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607"], ["", "9d1f3c2a5b6e4f708a91b2c3d4e5f607"]),
            (
                .date, ["2026-05-20", "2024-02-29"],
                ["2026-5-20", "2025-02-29", "2026-13-01", "2026-04-31", "20260520", "2026-05-20 "]
            ),
            (
                .dateTime,
                [
                    "2026-05-20T20:49:32Z", "2026-05-20T20:49:32.000+0000", "2026-05-20t20:49:60.5-07:30",
                    "2026-05-20T20:49:32z",
                ],
                [
                    "2026-05-20", "2026-05-20 20:49:32Z", "2026-05-20T24:00:00Z", "2026-05-20T20:49:32",
                    "2026-05-20T20:49:32.Z", "2026-05-20T20:49:32+07", "2026-05-20T20:49:32Zx",
                ]
            ),
            (
                .url(), ["https://example.com/a?b=c#d", "myapp:order/7", "mailto:a@example.com", "HTTP://EXAMPLE.COM"],
                [
                    "example.com", "/orders/7", "https://", "https:/example.com", "https://exa mple.com", "1a:b", "",
                    ":x", "a:",
                ]
            ),
            (.url(schemes: ["https"]), ["https://example.com"], ["http://example.com", "myapp:order"]),
            (.hex, ["00ff", "AB"], ["", "abc", "xy", "0x12"]),
            (.base64, ["dHN0", "dHN0LQ==", "dHN0LXM="], ["", "dHN", "dHN0=", "dH=0", "dHN0LQ", "dHN0\n"]),
            (.oneOf(["open", "done"]), ["open", "done"], ["Open", "", "opened"]),
            (
                .recordID, ["001xx000003DGb2AAG", "001xx000003DGb2", "001xx000003DGb2aag"],
                ["001xx000003DGb2AAA", "001", "001xx000003DGb2A", "001xx000003DG\u{E9}2"]
            ),
        ] as [(ContractFormat, [String], [String])])
    func `a format accepts valid strings and no similar ones`(format: ContractFormat, right: [String], wrong: [String])
    {
        let contract = contract([ContractKey("x", .string(format))])
        for (texts, rules) in [(right, []), (wrong, ["contract-format"])] {
            for text in texts {
                var escaped = ""
                for scalar in text.unicodeScalars { escaped += scalar == "\n" ? "\\n" : String(scalar) }
                #expect(findings(#"{"aps":{},"x":"\#(escaped)"}"#, contract).map(\.rule) == rules, "\(text)")
            }
        }
    }

    /// The table of docs/reference/selective-sync.md section 5.
    @Test(arguments: [
        ("a0RE000000IJmcN", "MAT"), ("a01M00000062mPg", "IAI"), ("001M000000qfPyS", "IAU"), ("a0FE000000D6r3F", "MAR"),
        ("0F9E000000092w2", "KAA"), ("AaaAAaaaaaaaaaa", "ZAA"), ("001D000000IRFma", "IAH"), ("001xx000003DGb2", "AAG"),
        ("aaaaaaaaaaaaaaa", "AAA"),
        ("AAAAAAAAAAAAAAA", "555"), ("AbCdEfGhIjKlMnO", "VKV"), ("aBcDEfgHIJKLMNO", "025"), ("000000000000000", "AAA"),
    ])
    func `the suffix of a record id encodes its capitals`(id: String, suffix: String) {
        let hint = { (id: String) in #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"\#(id)"}"# }
        #expect(findings(hint(id)).isEmpty)
        #expect(findings(hint(id + suffix)).isEmpty)
        #expect(findings(hint(id + suffix.lowercased())).isEmpty)
        let other = suffix == "AAA" ? "AAB" : "AAA"
        #expect(findings(hint(id + other)).map(\.rule) == ["hint-record-suffix"])
    }

    @Test func `an id with an escape is decoded before it is checked`() {
        let right =
            #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"\u0030\u00301xx000003DGb2AAG"}"#
        #expect(findings(right).isEmpty)
        let wrong = #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"\u00301xx00003DGb2AAG"}"#
        #expect(findings(wrong).map(\.rule) == ["hint-record"])
    }

    @Test func `a record id with a wrong suffix has another message than one of another form`() {
        let contract = contract([ContractKey("id", .string(.recordID))])
        #expect(
            findings(#"{"id":"001xx000003DGb2AAA"}"#, contract).map(\.message) == [
                "id is \"001xx000003DGb2AAA\"; it must be a record id of which the last three characters match the others"
            ])
        #expect(
            findings(#"{"id":"001"}"#, contract).map(\.message) == [
                "id is \"001\"; it must be a string of 15 or 18 digits and letters"
            ])
    }

    @Test func `a nested key is found by its pointer`() {
        let contract = contract([ContractKey("/order/lines/a~1b", .integer(1...9))])
        #expect(findings(#"{"aps":{},"order":{"lines":{"a/b":3}}}"#, contract).isEmpty)
        let wrong = findings(#"{"aps":{},"order":{"lines":{"a/b":30}}}"#, contract)
        #expect(wrong.map(\.rule) == ["contract-range"])
        #expect(wrong.map(\.pointer) == ["/order/lines/a~1b"])
        #expect(wrong.map(\.message) == ["order.lines.a/b is 30; it must be an integer from 1 to 9"])
        #expect(findings(#"{"aps":{},"order":7}"#, contract).map(\.rule) == ["contract-missing-key"])
    }

    @Test func `the elements of an array have one finding together`() {
        let contract = contract([ContractKey("ids", .array(of: .string(.uuid), count: 1...3))])
        let id = #""9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607""#
        #expect(findings(#"{"ids":[\#(id),\#(id)]}"#, contract).isEmpty)
        #expect(
            findings(#"{"ids":[]}"#, contract).map(\.message) == [
                "ids is empty; it must be an array of 1 to 3 elements"
            ])
        let mixed = findings(#"{"ids":[\#(id),"7","8"]}"#, contract)
        #expect(
            mixed.map(\.message) == [
                "2 of 3 elements of ids are wrong, the first of them: \"7\" must be a UUID in the form 8-4-4-4-12"
            ])
        #expect(
            findings(#"{"ids":["x",7]}"#, contract).map(\.rule) == ["contract-key-type", "contract-format"].reversed())
    }

    @Test func `integers and fractions are distinguished by how they are written`() {
        let contract = contract([ContractKey("n", .integer()), ContractKey("x", .number(0...1), isRequired: false)])
        #expect(findings(#"{"n":9007199254740993,"x":0.5}"#, contract).isEmpty)
        for wrong in [#"{"n":1.0}"#, #"{"n":true}"#, #"{"n":null}"#, #"{"n":1,"x":"0.5"}"#] {
            #expect(findings(wrong, contract).map(\.rule) == ["contract-key-type"], "\(wrong)")
        }
        #expect(findings(#"{"n":1,"x":1.01}"#, contract).map(\.rule) == ["contract-range"])
    }

    @Test(
        arguments: [
            (.number(0...1), "a number from 0 to 1"), (.number(0...Double.infinity), "a number of at least 0"),
            (.number(-Double.infinity...0.5), "a number of at most 0.5"),
            (.number(-Double.infinity...Double.infinity), "a number"), (.integer(1...9), "an integer from 1 to 9"),
            (.integer(1...Int64.max), "an integer of at least 1"),
            (.integer(Int64.min...(-1)), "an integer of at most -1"), (.integer(), "an integer"),
        ] as [(ContractValue, String)])
    func `a message names only the limits that there are`(value: ContractValue, words: String) {
        #expect(value.description == words)
    }

    @Test func `a forbidden key is reported once, with its reason`() {
        let contract = ApplicationContract(
            name: "Order", match: .key("orderId"), allowsOtherKeys: false,
            forbiddenKeys: [.init("name", reason: "personal data"), .init("/shop/phone")])
        #expect(
            findings(#"{"orderId":1,"name":"A","shop":{"phone":"1"}}"#, contract).map(\.message) == [
                "name must not be in Order: personal data", "shop.phone must not be in Order",
            ])
        #expect(findings(#"{"name":"A"}"#, contract).isEmpty, "it applies to payloads with an order id")
    }

    @Test func `a missing key is reported with the key that was probably meant`() {
        let contract = contract([ContractKey("orderId", .string())], others: false)
        let found = findings(#"{"orderID":"7"}"#, contract)
        #expect(
            found.map(\.message) == [
                "Order has no orderId; it needs a string; was orderID meant for it?",
                #"Order has no key "orderID"; did you mean orderId?"#,
            ])
    }

    @Test func `the value of another contract is not a mistake`() {
        let contracts = ["STATE_A", "STATE_B"].map { ApplicationContract(name: $0, match: .value($0, ofKey: "kind")) }
        #expect(findings(#"{"kind":"STATE_A"}"#, contracts[0], contracts[1]).isEmpty)
        let wrong = findings(#"{"kind":"state_b"}"#, contracts[0], contracts[1])
        #expect(wrong.map(\.rule) == ["contract-match"])
        #expect(wrong.map(\.severity) == [.warning])
        #expect(findings(#"{"kind":"SOMETHING_ELSE"}"#, contracts[0], contracts[1]).isEmpty)
    }

    @Test func `rules about contracts find nothing without contracts, and a rule that is off stays off`() {
        let payload = #"{"aps":{},"type":"ORDER_READY"}"#
        #expect(findings(payload).isEmpty)
        #expect(Set(findings(payload, .example).map(\.rule)) == ["contract-missing-key", "contract-visibility"])
        #expect(findings(payload, .example, rules: [.contractVisibility]).map(\.rule) == ["contract-visibility"])
        #expect(findings(payload, .example, rules: []).isEmpty)
    }

    @Test func `the hints are contracts like any other`() {
        #expect(ApplicationContract.hints.map(\.name) == ["ACCOUNT_UPDATE", "INTERACTION", "TEST"])
        var validator = Validator(rules: Rule.all, contracts: ApplicationContract.hints)
        let payload = #"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":["7"]}"#
        let found = validator.findings(
            for: Envelope(pushType: "background", priority: "5", payload: Array(payload.utf8)))
        #expect(Set(found.map(\.rule)) == ["hint-record", "contract-format"])
    }
}
