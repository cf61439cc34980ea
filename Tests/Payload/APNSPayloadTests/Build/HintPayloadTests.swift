import APNSPayload
import Testing

struct HintPayloadTests {
    /// Ids of 15 characters, or of 18 with the suffix for the one capital at the third place.
    private func ids(_ count: Int, length: Int) -> [String] {
        (0..<count).map { number in
            let digits = String(number)
            return "0xI" + String(repeating: "0", count: 12 - digits.count) + digits + (length == 18 ? "EAA" : "")
        }
    }

    @Test func `an account hint is compact and has one id and no name`() throws {
        let payload = try HintPayload.accountUpdate("001xx000003DGb2AAG", changedFields: ["Name", "Owner"])
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","changedFields":"Name, Owner"}"#
        )
        #expect(try HintPayload.accountUpdate("001xx000003DGb2").count == 85)
    }

    @Test func `an account hint has the size of the contract's example without the name`() throws {
        // 123 bytes with an empty id and name, minus `"accountName":"",`, plus an id of 18 characters.
        let payload = try HintPayload.accountUpdate("001xx000003DGb2AAG", changedFields: ["Name", "Owner", "Type"])
        #expect(payload.count == 123 - 17 + 18)
    }

    @Test(arguments: [(18, 191, 4077), (15, 223, 4080)])
    func `one more id than fits makes two payloads`(length: Int, count: Int, bytes: Int) throws {
        #expect(try HintPayload.interactions(ids(count, length: length)).map(\.count) == [bytes])
        let two = try HintPayload.interactions(ids(count + 1, length: length))
        #expect(two.map(\.count) == [bytes, 67 + length + 2])
    }

    @Test func `every id is sent once, in order, in valid payloads`() throws {
        let ids = ids(500, length: 18) + ids(40, length: 15)
        let payloads = try HintPayload.interactions(ids)
        #expect(payloads.count == 3)
        var validator = Validator()
        var sent: [String] = []
        for payload in payloads {
            let envelope = Envelope(pushType: "background", priority: "5", payload: payload)
            #expect(validator.findings(for: envelope).isEmpty)
            let text = String(decoding: payload, as: UTF8.self)
            sent += text.split(separator: "\"").map(String.init).filter { $0.hasPrefix("0xI") }
        }
        #expect(sent == ids)
    }

    @Test func `without ids there is no payload`() throws {
        #expect(try HintPayload.interactions([]).isEmpty)
    }

    @Test(arguments: ["", "001", "001xx000003DGb2A", "001xx000003DGb2AAGX", "001xx000003DG\"2", "001xx00003DGb2é"])
    func `an invalid record id is refused with its position`(id: String) {
        #expect(throws: HintPayloadError.badRecordID(id, position: 2)) {
            try HintPayload.interactions(["001xx000003DGb2AAG", id])
        }
        #expect(throws: HintPayloadError.badRecordID(id, position: 1)) { try HintPayload.accountUpdate(id) }
    }

    @Test func `other keys follow those of the hint, in order, in each payload`() throws {
        let ids = ids(200, length: 18)
        let payloads = try HintPayload.records(ids, type: "ORDER", custom: ["urgent": true, "depot": "A"])
        #expect(payloads.count == 2)
        let first = #"{"aps":{"content-available":1},"type":"ORDER","recordIds":["0xI"#
        for payload in payloads {
            let text = String(decoding: payload, as: UTF8.self)
            #expect(text.hasPrefix(first) && text.hasSuffix(#""],"depot":"A","urgent":true}"#), "\(text)")
        }
    }

    @Test(arguments: ["type", "recordIds"])
    func `a key of the hint itself is refused among the other keys`(key: String) throws {
        let custom = try CustomData(["a": 1, key: "X"])
        let error = #expect(throws: HintPayloadError.reservedKey(key)) {
            try HintPayload.records(["001xx000003DGb2AAG"], type: "ORDER", custom: custom)
        }
        #expect(error?.description == "\"\(key)\" is a key of the hint itself; give the other data another name")
    }

    @Test func `changed fields that cannot be read back, or do not fit, are refused`() {
        let id = "001xx000003DGb2AAG"
        for field in ["", "a,b", " Name", "a\u{1}"] {
            #expect(throws: HintPayloadError.badFieldName(field)) {
                try HintPayload.accountUpdate(id, changedFields: [field])
            }
        }
        #expect(throws: HintPayloadError.self) {
            try HintPayload.accountUpdate(id, changedFields: Array(repeating: "Name", count: 1000))
        }
    }
}
