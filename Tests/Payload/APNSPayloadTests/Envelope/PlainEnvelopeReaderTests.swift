import APNSModel
import TestSeeds
import Testing

@testable import APNSPayload

struct PlainEnvelopeReaderTests {
    private static let defaults = EnvelopeDefaults(
        deviceToken: DeviceToken("ddee"), topic: Topic("com.example.default"), pushType: .alert,
        priority: .low, expiration: .once, collapseID: CollapseID("default"))

    /// What `EnvelopeReader` makes of a line; nil where it is not an envelope to a device that can be sent.
    private static func general(_ line: [UInt8], _ defaults: EnvelopeDefaults) -> APNSNotification? {
        var reader = EnvelopeReader()
        let envelope = reader.read(SourceText(name: "x.ndjson", bytes: line)).envelope
        guard envelope.kind == .envelope, !envelope.isBroadcast else { return nil }
        return try? envelope.notification(defaults: defaults)
    }

    private static func plain(_ line: [UInt8], with reader: inout PlainEnvelopeReader) -> APNSNotification? {
        line.withUnsafeBytes { reader.notification(in: $0) }
    }

    /// An envelope in which anything may be absent, unusual or wrong.
    private static func line(using generator: inout TestGenerator) -> String {
        func one(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }
        let space = one(["", "", "", " "])
        var members: [String] = []
        for (key, values) in keys where Int.random(in: 0..<10, using: &generator) < 8 {
            // The first value is the usual one.
            let value = Int.random(in: 0..<4, using: &generator) == 0 ? one(values) : values[0]
            members.append("\"\(key)\":\(space)\(value)")
        }
        if Int.random(in: 0..<8, using: &generator) == 0 {
            members.append(
                one([
                    #""note":"mine""#, #""aps":{}"#, #""payload-base64":"e30=""#, #""received":1"#, #""verified":true"#,
                    #""apns-channel-id":"AAAA""#, #""apns-request-id":"x""#, #""topic":"com.example.b""#,
                    #""tok\u0065n":"0011""#, #""token":"2233""#, #""note":null"#, #""customer":{"a":[1,{"b":2}]}"#,
                ]))
        }
        members.shuffle(using: &generator)
        var text = "{" + members.joined(separator: "," + space) + "}" + one(["", "", "", " ", "x"])
        if Int.random(in: 0..<10, using: &generator) == 0 { text.removeLast(Int.random(in: 0...3, using: &generator)) }
        return text
    }

    private static let keys: [(String, [String])] = [
        ("token", [#""AAbb00112233445566778899""#, #""abc""#, #""""#, "7", "null", #""\u0061b""#, #""zz""#]),
        (
            "apns-topic",
            [#""com.example.a""#, #""com.example.b.voip""#, #""a b""#, #""""#, "3", "null", #""com\u002eexample""#]
        ),
        (
            "apns-push-type",
            [#""background""#, #""alert""#, #""""#, #""new""#, #""a\nb""#, #"" x""#, "null", "1", #""é""#]
        ),
        (
            "apns-priority",
            ["5", #""5""#, "10", "1", #""10""#, "05", #""05""#, #""+5""#, "7", "5.0", "null", "1e1", #""""#]
        ),
        (
            "apns-expiration",
            [
                "1795382457", "0", #""0""#, #""007""#, "-1", "-0", #""-5""#, "1e3", "99999999999999999999", #""x""#,
                "null",
            ]
        ),
        (
            "apns-collapse-id",
            [
                #""acct-1""#, "12", "1.5", #""""#, #"" a""#, #""a ""#, #""é""#, "null", "true",
                "\"" + String(repeating: "x", count: 65) + "\"", #""a\tb""#, "\"a\u{7F}\"",
            ]
        ),
        (
            "apns-id",
            [
                #""9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607""#, #""9D1F3C2A-5B6E-4F70-8A91-B2C3D4E5F607""#, #""""#, #""x""#,
                "null", "5",
            ]
        ),
        (
            "payload",
            [
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","changedFields":"Name, Owner"}"#, "{}", "[]",
                #""x""#, "null", "7", #"{ "aps" : { "alert" : "a \" b\\" } , "x" : [ 1 , 2 ] }"#, "{\"a\":\t1}",
                #"{"aps":{},"aps":1}"#,
            ]
        ),
    ]

    @Test(arguments: TestSeed.all(1...100))
    func `it agrees with the general reader wherever it reads a line`(seed: TestSeed) {
        var generator = seed.generator
        let defaults = Bool.random(using: &generator) ? PlainEnvelopeReaderTests.defaults : EnvelopeDefaults()
        var reader = PlainEnvelopeReader(defaults: defaults)
        for _ in 0..<100 {
            let text = PlainEnvelopeReaderTests.line(using: &generator)
            let line = Array(text.utf8)
            guard let found = PlainEnvelopeReaderTests.plain(line, with: &reader) else { continue }
            let wanted = PlainEnvelopeReaderTests.general(line, defaults)
            #expect(found == wanted, "\(text)")
            #expect(found.id?.text == wanted?.id?.text, "\(text)")
        }
    }

    @Test(arguments: TestSeed.all(1...50))
    func `it agrees also where lines differ from the one before in a few bytes`(seed: TestSeed) throws {
        var generator = seed.generator
        let defaults = PlainEnvelopeReaderTests.defaults
        var reader = PlainEnvelopeReader(defaults: defaults)
        var known = 0
        for turn in 0..<20 {
            let usual =
                #"{"token":"AAbb0011","apns-topic":"com.example.a","apns-push-type":"background","apns-priority":5,"payload":{"aps":{}}}"#
            var line = Array((turn == 0 ? usual : PlainEnvelopeReaderTests.line(using: &generator)).utf8)
            for _ in 0..<20 {
                if let found = PlainEnvelopeReaderTests.plain(line, with: &reader) {
                    known += 1
                    let wanted = PlainEnvelopeReaderTests.general(line, defaults)
                    #expect(found == wanted, "\(String(decoding: line, as: UTF8.self))")
                    #expect(found.id?.text == wanted?.id?.text, "\(String(decoding: line, as: UTF8.self))")
                }
                // Mostly hexadecimal digits, so that the place of a device token has another one.
                let bytes = Array("0123456789abcdefABCDEF\" ,:{}\\x".utf8)
                let digits = line.indices.filter { line[$0].isHexDigit }
                let anywhere = Int.random(in: 0..<6, using: &generator) == 0
                guard let place = (anywhere ? Array(line.indices) : digits).randomElement(using: &generator),
                    let byte = (anywhere ? bytes[...] : bytes[..<22]).randomElement(using: &generator)
                else { continue }
                line[place] = byte
            }
        }
        #expect(known > 0)
    }

    @Test func `lines that differ in the device token alone share their payload`() throws {
        var reader = PlainEnvelopeReader(defaults: EnvelopeDefaults())
        func line(_ token: String) -> [UInt8] {
            Array(
                #"{"token":"\#(token)","apns-topic":"com.example.a","apns-push-type":"alert","payload":{"aps":{"alert":"Hi"}}}"#
                    .utf8)
        }
        let first = try #require(PlainEnvelopeReaderTests.plain(line("aabb"), with: &reader))
        let second = try #require(PlainEnvelopeReaderTests.plain(line("CCdd"), with: &reader))
        #expect(first.deviceToken.hex == "aabb" && second.deviceToken.hex == "ccdd")
        let addresses = [first, second].map { $0.payload.withUnsafeBufferPointer { $0.baseAddress } }
        #expect(addresses[0] == addresses[1])
        // A quote ends the token earlier, and the length stays.
        #expect(PlainEnvelopeReaderTests.plain(line(#"CC""#), with: &reader) == nil)
    }

    @Test(arguments: [
        #"{"token":"aabb","apns-topic":"com.example.a","apns-push-type":"alert","payload":{"aps":{"alert":"Hi"}}}"#,
        #"{"token": "AABB", "apns-topic": "com.example.a", "apns-push-type": "alert", "payload": {"aps": {"alert": "H i"}}}"#,
        #"{"payload":{},"apns-push-type":"voip","apns-topic":"com.example.a.voip","token":"00","note":{"of":"mine"}}"#,
        #"{"token":"aabb","apns-topic":"com.example.a","apns-push-type":"background","apns-priority":5,"apns-expiration":0,"apns-collapse-id":"é","apns-id":"9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607","payload":{"a":1}}"#,
    ])
    func `it reads the usual forms`(text: String) {
        var reader = PlainEnvelopeReader(defaults: EnvelopeDefaults())
        let found = PlainEnvelopeReaderTests.plain(Array(text.utf8), with: &reader)
        #expect(found != nil)
        #expect(found == PlainEnvelopeReaderTests.general(Array(text.utf8), EnvelopeDefaults()))
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"payload":{},"received":1}"#, #"{"payload":{},"aps":{}}"#, #"{"payload":{},"payload":{}}"#,
        #"{"payload":{},"payload-base64":"e30="}"#, #"{"payload":{},"apns-channel-id":"AAAA"}"#,
    ])
    func `it leaves other forms to the general reader`(text: String) {
        var reader = PlainEnvelopeReader(defaults: PlainEnvelopeReaderTests.defaults)
        #expect(PlainEnvelopeReaderTests.plain(Array(text.utf8), with: &reader) == nil)
    }
}
