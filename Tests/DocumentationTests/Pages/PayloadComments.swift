import APNSModel
import APNSPayload
import Testing

struct PayloadComments {
    @Test func `a contract finds what an app does not expect`() throws {
        let contract = ApplicationContract(
            name: "ORDER_READY", match: .value("ORDER_READY", ofKey: "type"),
            keys: [ContractKey("orderId", .string(.uuid))], allowsOtherKeys: false)
        var validator = Validator(contracts: [contract])

        let push = BackgroundPush(custom: ["type": "ORDER_READY", "orderId": 4711])
        let findings = push.encoded().withUnsafeBytes { validator.findings(forPayload: $0) }
        #expect(findings?.isEmpty == false)
    }

    @Test func `a validator finds nothing in a good envelope`() throws {
        let text = #"{"apns-push-type":"background","apns-priority":5,"payload":{"aps":{"content-available":1}}}"#
        var reader = EnvelopeReader()
        let envelope = try #require(reader.readAll(SourceText(name: "push.json", bytes: Array(text.utf8))).first)
            .envelope
        var printed: [Finding] = []
        func print(_ finding: Finding) { printed.append(finding) }

        var validator = Validator()
        for finding in validator.findings(for: envelope) { print(finding) }

        #expect(printed.isEmpty)
    }

    @Test func `a payload is measured`() {
        var printed = (0, "")
        func print(_ bytes: Int?, _ table: String) { printed = (bytes ?? 0, table) }
        let payload = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)

        let size = PayloadSize(of: payload, limit: PushType.alert.maximumPayloadBytes)
        print(size.remainingBytes, size.table)

        #expect(printed.0 == 4096 - payload.count && printed.1.contains("alert"))
    }

    @Test func `ids become hints`() throws {
        let ids = ["0xIxx0000000001EAA"]
        let payloads = try HintPayload.interactions(ids)  // one, or more when the ids do not fit
        #expect(payloads.count == 1)
    }

    @Test func `custom data is written as it looks`() {
        let custom: CustomData = ["order": 4711, "lines": ["tea", "rice"]]
        let push = BackgroundPush(custom: custom)
        #expect(String(decoding: push.encoded(), as: UTF8.self).hasSuffix(#","lines":["tea","rice"],"order":4711}"#))
    }

    @Test func `custom data is the members of an encoded value`() throws {
        struct Order: Encodable {
            var number: Int
            var lines: [String]
        }

        let custom = try CustomData(encoding: Order(number: 4711, lines: ["tea", "rice"]))
        #expect(custom == ["number": 4711, "lines": ["tea", "rice"]])
    }
}
