import Testing

@testable import ProviderToken

@Suite struct ECDSASignatureTests {
    private static func raw(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: 32 - r.count) + r + [UInt8](repeating: 0, count: 32 - s.count) + s
    }

    @Test func `numbers of every length go from raw to DER and back`() throws {
        for count in 0...32 {
            for first: UInt8 in [0x01, 0x7f, 0x80, 0xff] {
                let number = count == 0 ? [] : [first] + [UInt8](repeating: 0, count: count - 1)
                let raw = Self.raw(number, [5])
                let der = try #require(ECDSASignature(raw: raw)).der
                #expect(ECDSASignature(der: der)?.raw == raw)
                let zeros = count == 0 || first >= 0x80 ? 1 : 0
                #expect(der.count == 4 + count + zeros + 3)
            }
        }
    }

    @Test(arguments: [
        ("30060201010201", "cut"), ("3006020101020102ff", "a byte after the end"),
        ("300702010102010200", "a byte after the numbers"), ("3007020200010201 02", "a needless zero"),
        ("3007020200000201 02", "a needless zero before zero"), ("30060201ff020102", "a negative number"),
        ("30050200020102", "an empty number"), ("3081060201010201 02", "a long length"),
        ("3080020101020102", "an indefinite length"), ("3106020101020102", "no sequence"),
        ("3006030101020102", "no integer"), ("30030201 01", "one number"),
        ("3026022101" + String(repeating: "00", count: 32) + "020102", "257 bits"), ("", "nothing"),
    ])
    func `what is not DER to the byte is refused`(hex: String, fault: String) {
        #expect(ECDSASignature(der: Fixtures.hex("3006020101020102"))?.raw == Self.raw([1], [2]))
        #expect(ECDSASignature(der: Fixtures.hex(hex.replacing(" ", with: ""))) == nil, "\(fault)")
    }

    @Test func `a raw signature has 64 bytes`() {
        for count in [0, 63, 65, 128] { #expect(ECDSASignature(raw: [UInt8](repeating: 1, count: count)) == nil) }
    }
}
