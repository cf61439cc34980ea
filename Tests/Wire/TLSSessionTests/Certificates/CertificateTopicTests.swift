import Testing

@testable import TLSSession

@Suite struct CertificateTopicTests {
    private let topics = [CertificateTopic(topic: "a.b", kind: "app"), CertificateTopic(topic: "a.b.x", kind: "new")]

    @Test func `topics are read as they were written`() {
        let long = [CertificateTopic(topic: String(repeating: "t", count: 155), kind: "app")]
        let many = (0..<20).map { CertificateTopic(topic: "com.example.app\($0)", kind: "voip") }
        for list in [[], topics, long, many] {
            #expect(CertificateTopic.parse(der: CertificateTopic.encode(list)) == list)
        }
    }

    @Test func `the bytes are those of docs/reference/apns.md 5`() {
        let bytes: [UInt8] = [0x30, 10, 0x0c, 1, 0x61, 0x30, 5, 0x0c, 3, 0x61, 0x70, 0x70]
        #expect(CertificateTopic.encode([CertificateTopic(topic: "a", kind: "app")]) == bytes)
    }

    @Test func `a list cut anywhere is malformed`() {
        let whole = CertificateTopic.encode(topics)
        for count in 0..<whole.count { #expect(CertificateTopic.parse(der: Array(whole.prefix(count))) == nil) }
        #expect(CertificateTopic.parse(der: whole + [0]) == nil, "a byte after the end")
    }

    @Test(arguments: [
        [0x31, 0], [0x30, 0x80, 0, 0], [0x30, 0x81, 0], [0x30, 0x83, 0, 0, 0],  // a SET; length forms
        [0x30, 3, 0x0c, 1, 0x61],  // a topic without a kind
        [0x30, 6, 0x0c, 1, 0x61, 0x0c, 1, 0x61],  // a kind that is not a SEQUENCE
        [0x30, 8, 0x0c, 1, 0x61, 0x30, 3, 0x13, 1, 0x61],  // PrintableString
        [0x30, 11, 0x0c, 1, 0x61, 0x30, 6, 0x0c, 1, 0x61, 0x0c, 1, 0x61],  // two kinds
        [0x30, 8, 0x0c, 1, 0xff, 0x30, 3, 0x0c, 1, 0x61],  // not UTF-8
        [0x30, 7, 0x0c, 0, 0x30, 3, 0x0c, 1, 0x61],  // an empty topic
        [0x30, 8, 0x0c, 1, 0x61, 0x30, 4, 0x0c, 1, 0x61],  // an inner length beyond the outer
    ]) func `other shapes are malformed`(bytes: [UInt8]) {
        #expect(CertificateTopic.parse(der: bytes) == nil)
    }
}
