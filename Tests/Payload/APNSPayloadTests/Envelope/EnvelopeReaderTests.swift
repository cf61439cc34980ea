import APNSModel
import APNSPayload
import TestSeeds
import Testing

struct EnvelopeReaderTests {
    private func read(_ text: String, _ name: String = "push.json") -> SourcedEnvelope {
        var reader = EnvelopeReader()
        return reader.read(SourceText(name: name, bytes: Array(text.utf8)))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `an envelope has its headers as strings and its payload in compact form`() {
        let sourced = read(
            #"""
            {"token":"ab12","apns-topic":"com.example.agent","apns-push-type":"background","apns-priority":5,
             "apns-expiration":"0","apns-collapse-id":"caf\u00e9","apns-id":null,
             "payload":{ "aps" : { "content-available" : 1 }, "x": "a  \" b" }}
            """#)
        let envelope = sourced.envelope
        #expect(envelope.kind == .envelope)
        #expect(envelope.token == "ab12")
        #expect(envelope.topic == "com.example.agent")
        #expect(envelope.pushType == "background")
        #expect(envelope.priority == "5")
        #expect(envelope.expiration == "0")
        #expect(envelope.collapseID == "café")
        #expect(envelope.apnsID == nil)
        #expect(text(envelope.payload) == #"{"aps":{"content-available":1},"x":"a  \" b"}"#)
    }

    @Test func `every byte of a compacted payload is found in its source`() {
        let source = "{\"payload\" :\n {  \"a\" : [ 1 ,\t2 ] , \"b c\" : \"\\\\\" }}"
        let sourced = read(source)
        let bytes = Array(source.utf8)
        for (offset, byte) in sourced.envelope.payload.enumerated() {
            #expect(bytes[sourced.payloadOrigin.sourceOffset(of: offset)] == byte)
        }
        let whole = sourced.payloadOrigin.sourceRange(of: 0..<sourced.envelope.payload.count)
        #expect(text(Array(bytes[whole])) == "{  \"a\" : [ 1 ,\t2 ] , \"b c\" : \"\\\\\" }")
    }

    @Test func `a bare payload is kept byte for byte`() {
        let sourced = read("{ \"aps\": {} }\n")
        #expect(sourced.envelope == Envelope(kind: .payload, payload: Array("{ \"aps\": {} }\n".utf8)))
    }

    @Test func `a bare payload with a key named payload is not an envelope`() {
        #expect(read(#"{"aps":{},"payload":{}}"#).envelope.kind == .payload)
    }

    @Test(arguments: [
        (#"{"Simulator Target Bundle":"com.example.agent","aps":{}}"#, #"{"aps":{}}"#),
        (#"{"aps":{}, "Simulator Target Bundle":"com.example.agent"}"#, #"{"aps":{}}"#),
        (#"{"a":1, "Simulator Target Bundle":"com.example.agent" , "b":2}"#, #"{"a":1, "b":2}"#),
        (#"{ "Simulator Target Bundle":"com.example.agent" }"#, "{  }"),
        (#"{"a":1,"Simulator Target Bundle":2,"Simulator Target Bundle":"com.example.agent"}"#, #"{"a":1}"#),
        (#"{"Simulator Target Bundle":1,"Simulator Target Bundle":"com.example.agent"}"#, "{}"),
    ])
    func `the target of a simulator file is the topic and not part of the payload`(source: String, payload: String) {
        let sourced = read(source)
        #expect(sourced.envelope.kind == .apns)
        #expect(sourced.envelope.topic == "com.example.agent")
        #expect(text(sourced.envelope.payload) == payload)
        for (offset, byte) in sourced.envelope.payload.enumerated() {
            #expect(Array(source.utf8)[sourced.payloadOrigin.sourceOffset(of: offset)] == byte)
        }
    }

    @Test func `a file named for the simulator is no envelope`() {
        let file = #"{"Simulator Target Bundle":"com.example.agent","payload":{"aps":{"alert":"Hi"}}}"#
        #expect(read(file).envelope.kind == .envelope)
        let simulator = read(file, "push.apns").envelope
        #expect(simulator.kind == .apns && simulator.topic == "com.example.agent")
        #expect(text(simulator.payload) == #"{"payload":{"aps":{"alert":"Hi"}}}"#)
        var validator = Validator()
        #expect(validator.findings(for: simulator).map(\.rule) == ["simulator-aps"])
        let encoded = read(#"{"payload-base64":"e30="}"#, "push.APNS").envelope
        #expect(encoded.kind == .apns && encoded.problems.isEmpty)
    }

    @Test func `a file that is not JSON is read as a bare payload`() {
        #expect(read("{").envelope.kind == .payload)
        #expect(read("{", "push.APNS").envelope.kind == .apns)
        #expect(read("").envelope.payload.isEmpty)
    }

    @Test func `every line of a stream is a notification with its line number`() {
        var reader = EnvelopeReader()
        let bytes = Array("{\"payload\":{}}\r\n\n  \n{\"aps\":{}}\n{".utf8)
        let all = reader.readAll(SourceText(name: "a.ndjson", bytes: bytes))
        #expect(all.map(\.source.firstLine) == [1, 4, 5])
        #expect(all.map(\.envelope.kind) == [.envelope, .payload, .payload])
        #expect(reader.readAll(SourceText(name: "a.json", bytes: bytes)).count == 1)
    }

    @Test func `a header of the wrong type keeps its text`() {
        let envelope = read(#"{"apns-priority":true,"apns-topic":["a"],"payload":{}}"#).envelope
        #expect(envelope.priority == "true")
        #expect(envelope.topic == #"["a"]"#)
    }

    @Test func `problems of an envelope are kept for the validator`() {
        let sourced = read(
            #"{"Topic":"a","apns-foo":1,"token":12,"apns-priority":5,"apns-priority":"10","note":"x","id":7,"#
                + #""apns-validate":{},"apns-unique-id":"u","payload":{}}"#)
        #expect(
            sourced.envelope.problems == [
                EnvelopeProblem(key: "Topic", .unknownKey(meant: "apns-topic")),
                EnvelopeProblem(key: "apns-foo", .unknownKey(meant: nil)),
                EnvelopeProblem(key: "token", .wrongKind("a number")),
                EnvelopeProblem(key: "apns-priority", .repeatedKey),
            ])
        #expect(sourced.envelope.priority == "10")
        #expect(sourced.envelope.topic == nil)
        #expect(sourced.headerRanges["Topic"] == 1..<8)
    }

    @Test func `the request id is the id of a broadcast and a problem for a device`() {
        let broadcast = read(#"{"apns-channel-id":"dHN0","apns-request-id":"9d1f","payload":{}}"#)
        #expect(broadcast.envelope.apnsID == "9d1f")
        #expect(broadcast.envelope.isBroadcast)
        #expect(broadcast.headerRanges["apns-id"] == broadcast.headerRanges["apns-request-id"])
        let device = read(#"{"token":"ab12","apns-request-id":"9d1f","payload":{}}"#).envelope
        #expect(device.apnsID == nil)
        #expect(device.problems == [EnvelopeProblem(key: "apns-request-id", .unknownKey(meant: "apns-id"))])
    }

    @Test func `headers in an object of the envelope are a problem, unless the envelope has them itself`() {
        let sourced = read(
            #"{"headers":{"apns-priority":5,"apns-topic":"a","apns-id":"b"},"apns-topic":"a","payload":{}}"#)
        #expect(sourced.envelope.problems == [EnvelopeProblem(key: "headers", .nestedHeaders(["apns-priority"]))])
        #expect(sourced.envelope.priority == nil && sourced.headerRanges["headers"] == 1..<10)
        let answer = read(#"{"answer":{"apns-id":"b","status":200},"note":{"apns-topic":null},"payload":{}}"#)
        #expect(answer.envelope.problems.isEmpty)
    }

    @Test func `a repeated object with headers is one problem, at its last key`() {
        let first = #"{"é":1,"headers":{"apns-priority":5,"apns-topic":"a"},"#
        let sourced = read(first + #""headers":{"apns-push-type":"alert","apns-priority":5},"headers":1,"payload":{}}"#)
        #expect(
            sourced.envelope.problems == [
                EnvelopeProblem(key: "headers", .nestedHeaders(["apns-priority", "apns-topic", "apns-push-type"]))
            ])
        let start = first.utf8.count
        #expect(sourced.headerRanges["headers"] == start..<start + 9)
    }

    @Test func `the last value of a repeated header is used, also a null`() {
        let envelope = read(#"{"apns-topic":"a","apns-topic":null,"payload":1,"payload":{"aps":{}}}"#).envelope
        #expect(envelope.topic == nil)
        #expect(text(envelope.payload) == #"{"aps":{}}"#)
        #expect(envelope.problems.map(\.key) == ["apns-topic", "payload"])
    }

    @Test func `a misspelt or wrong target of a simulator file is a problem`() {
        #expect(
            read(#"{"simulator target bundle":"a","aps":{}}"#, "a.apns").envelope.problems
                == [EnvelopeProblem(key: "simulator target bundle", .misspeltTarget)])
        #expect(
            read(#"{"Simulator Target Bundle":7,"aps":{}}"#).envelope.problems
                == [EnvelopeProblem(key: EnvelopeReader.simulatorKey, .wrongKind("a number"))])
        #expect(read(#"{"Simulator Target Bundle":"a","aps":{}}"#).envelope.problems.isEmpty)
    }

    @Test(arguments: TestSeed.all(1...12))
    func `a sample cut or changed anywhere has findings at places within it only`(seed: TestSeed) throws {
        var reader = EnvelopeReader()
        var validator = Validator(contracts: [.example])
        var generator = seed.generator
        for sample in try Samples.all() where sample.source.bytes.count < 1_000 {
            var source = sample.source
            if Bool.random(using: &generator) {
                source.bytes.removeLast(Int.random(in: 0...source.bytes.count, using: &generator))
            } else if !source.bytes.isEmpty {
                let place = Int.random(in: 0..<source.bytes.count, using: &generator)
                source.bytes[place] = UInt8.random(in: 0x20..<0x7F, using: &generator)
            }
            let sourced = reader.read(source)
            let findings = validator.findings(for: sourced.envelope)
            for located in LocatedFinding.locate(findings, in: sourced) {
                #expect(located.line >= 1 && located.column >= 1)
                #expect((located.finding.range?.upperBound ?? 0) <= sourced.envelope.payload.count)
            }
            for range in sourced.headerRanges.values { #expect(range.upperBound <= source.bytes.count) }
            #expect(PayloadSize(of: sourced.envelope).bytes == sourced.envelope.payload.count)
        }
    }
}
