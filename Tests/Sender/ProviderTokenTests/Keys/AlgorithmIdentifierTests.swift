import Testing

@testable import ProviderToken

@Suite struct AlgorithmIdentifierTests {
    @Test(arguments: [
        ("2a864886f70d010101", "RSA"), ("2b6570", "Ed25519"), ("2b81040022", "P-384"),
        ("2a8648ce3d030107", "with the object identifier 1.2.840.10045.3.1.7"),
        ("883703", "with the object identifier 2.999.3"), ("", "with the object identifier "),
    ])
    func `an object identifier has its common name or its dotted form`(hex: String, name: String) {
        #expect(AlgorithmIdentifier.name(of: Fixtures.hex(hex)[...]) == name)
    }

    @Test func `the dotted form ends after 12 parts`() {
        let name = AlgorithmIdentifier.name(of: ([0x2a] + [UInt8](repeating: 1, count: 100))[...])
        #expect(name == "with the object identifier 1.2" + String(repeating: ".1", count: 10))
    }

    @Test func `no identifier crashes`() {
        for byte in UInt8.min...UInt8.max {
            for count in 0...12 {
                _ = AlgorithmIdentifier.name(of: [UInt8](repeating: byte, count: count)[...])
            }
        }
    }
}
