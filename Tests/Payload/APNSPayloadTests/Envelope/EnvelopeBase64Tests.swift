import Testing

@testable import APNSPayload

struct EnvelopeBase64Tests {
    private func read(_ text: String) -> SourcedEnvelope {
        var reader = EnvelopeReader()
        return reader.read(SourceText(name: "e.json", bytes: Array(text.utf8)))
    }

    @Test(
        arguments: [
            ("", []), ("eHg=", Array("xx".utf8)), ("/+8A", [0xff, 0xef, 0x00]), ("eA==", Array("x".utf8)),
        ] as [(String, [UInt8])])
    func `payload-base64 is the payload byte for byte`(text: String, bytes: [UInt8]) {
        let read = read(#"{"token":"ab12","payload-base64":"\#(text)"}"#)
        #expect(read.envelope.kind == .envelope && read.envelope.payload == bytes)
        #expect(read.envelope.problems.isEmpty)
    }

    @Test func `payload-base64 takes precedence over payload`() {
        let read = read(#"{"payload":{"a":1},"payload-base64":"eyJhIjogMX0="}"#)
        #expect(read.envelope.payload == Array(#"{"a": 1}"#.utf8))
        #expect(read.envelope.problems.isEmpty, "the same payload, as in a record")
        let other = self.read(#"{"payload":{"a":2},"payload-base64":"eyJhIjogMX0="}"#)
        #expect(other.envelope.payload == read.envelope.payload)
        #expect(other.envelope.problems == [EnvelopeProblem(key: "payload", .otherPayload)])
        #expect(other.headerRanges["payload"] == 1..<10)
    }

    @Test(arguments: [#""***""#, #""eHg""#, "1", "null"])
    func `any other value does not make an envelope and is a problem`(value: String) {
        let read = read(#"{"token":"ab12","apns-push-type":"alert","payload-base64":\#(value)}"#)
        #expect(read.envelope.kind == .payload)
        #expect(read.envelope.problems == [EnvelopeProblem(key: "payload-base64", .notBase64)])
        var validator = Validator()
        let found = LocatedFinding.locate(validator.findings(for: read.envelope), in: read)
        #expect(found.map(\.finding.rule) == ["envelope-encoding"])
        #expect(found.map(\.pointer) == ["/payload-base64"])
    }

    @Test func `a finding about two payloads is at the one that is not used`() {
        let read = read(#"{"payload":{"aps":{"badge":2}},"payload-base64":"eyJhcHMiOiB7ImJhZGdlIjogMX19"}"#)
        var validator = Validator()
        let found = LocatedFinding.locate(validator.findings(for: read.envelope), in: read)
        #expect(found.map(\.finding.rule) == ["envelope-repeated-key"])
        #expect(found.map(\.pointer) == ["/payload"] && found.map(\.column) == [2])
    }

    @Test func `the check of bare payloads recognizes it as an envelope`() {
        var validator = Validator()
        let text = Array(#"{"token":"ab12","payload-base64":"eyJhIjogMX0="}"#.utf8)
        #expect(text.withUnsafeBytes { validator.findings(forPayload: $0) } == nil)
    }

    @Test func `findings in it are at its place and have no fix`() throws {
        // {"aps":{"alert":"x","badge":"1"}}
        let read = read(#"{"payload-base64":"eyJhcHMiOnsiYWxlcnQiOiJ4IiwiYmFkZ2UiOiIxIn19"}"#)
        var validator = Validator()
        let found = LocatedFinding.locate(validator.findings(for: read.envelope), in: read)
        #expect(!found.isEmpty)
        #expect(found.filter { $0.finding.range != nil }.allSatisfy { $0.column == 19 && $0.edits.isEmpty })
        #expect(found.allSatisfy { $0.fixTitle == nil })
    }
}
