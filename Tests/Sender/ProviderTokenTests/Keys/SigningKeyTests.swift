import Testing

@testable import ProviderToken

@Suite struct SigningKeyTests {
    private let pem = Fixtures.p256 + "\n"

    private func code(_ file: [UInt8]) -> KeyError.Code? {
        do {
            _ = try SigningKey(p8: file)
            return nil
        } catch {
            return error.code
        }
    }

    private func error(_ file: String) throws -> KeyError {
        try #require(throws: KeyError.self) { try SigningKey(p8: Array(file.utf8)) }
    }

    @Test func `a p8 file gives the key that openssl sees in it`() throws {
        let key = try SigningKey(p8: Array(pem.utf8))
        #expect(key.publicKey == (try VerifyingKey(pem: Fixtures.p256Public)))
        let signature = try key.signature(for: Array("hello".utf8))
        #expect(signature.count == 64)
        #expect(key.publicKey.isValid(rawSignature: signature, for: Array("hello".utf8)))
        #expect(!key.publicKey.isValid(rawSignature: signature, for: Array("hallo".utf8)))
    }

    @Test func `line ends, a missing last newline, and text outside the markers make no difference`() throws {
        let expected = try VerifyingKey(pem: Fixtures.p256Public)
        let variants = [
            Fixtures.p256, pem.replacing("\n", with: "\r\n"), pem.replacing("\n", with: "\r"), "\u{feff}" + pem,
            "Key of the team\n\n" + pem + "end\n", pem + pem, Fixtures.certificate + "\n" + pem,
            "-----BEGIN me-----x\n" + pem,
        ]
        for variant in variants {
            #expect(try SigningKey(p8: Array(variant.utf8)).publicKey == expected, "\(variant)")
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `DER with and without parameters and public key, bare or as PEM, is the same key`(
        hasParameters: Bool, hasPublicKey: Bool
    ) throws {
        let expected = try VerifyingKey(pem: Fixtures.p256Public)
        var p8 = P8()
        p8.hasParameters = hasParameters
        p8.point = hasPublicKey ? Fixtures.point : nil
        if hasPublicKey { #expect(p8.der.count == (hasParameters ? 150 : 138)) }
        #expect(try SigningKey(p8: p8.der).publicKey == expected)
        #expect(try SigningKey(p8: PEMBlock.encode(p8.der, label: "PRIVATE KEY")).publicKey == expected)
    }

    @Test func `attributes and an outer public key of the newer PKCS8 are read`() throws {
        var p8 = P8(version: 1, point: nil)
        p8.trailing = P8.element(0xa0, []) + P8.element(0x81, [0] + Fixtures.point)
        #expect(try SigningKey(p8: p8.der).publicKey == (try VerifyingKey(pem: Fixtures.p256Public)))
        var other = Fixtures.point
        other[1] ^= 1
        p8.trailing = P8.element(0x81, [0] + other)
        #expect(code(p8.der) == .badPublicKey)
    }

    @Test func `a generated key survives being written and read`() throws {
        let key = try SigningKey.generate()
        let file = try key.p8
        #expect(file.starts(with: Array("-----BEGIN PRIVATE KEY-----\n".utf8)))
        #expect(try KeyFile(file, .privateKey).der.count == 138)
        let read = try SigningKey(p8: file)
        #expect(read.publicKey == key.publicKey)
        #expect(try read.p8 == file)
        #expect(try SigningKey.generate().publicKey != key.publicKey)
    }

    @Test func `a key written again is the file that openssl wrote`() throws {
        #expect(try SigningKey(p8: Array(pem.utf8)).p8 == Array(pem.utf8))
    }

    @Test func `each wrong file is refused with a message of its own`() throws {
        let files: [(String, KeyError.Code, mentions: String)] = [
            (Fixtures.rsa, .rsa, "RSA"), (Fixtures.ed25519, .otherAlgorithm, "Ed25519"),
            (Fixtures.p384, .otherCurve, "P-384"), (Fixtures.secp256k1, .otherCurve, "secp256k1"),
            (Fixtures.explicitCurve, .otherCurve, "named curve"), (Fixtures.encrypted, .encrypted, "openssl pkcs8"),
            (Fixtures.sec1, .sec1, "openssl pkcs8 -topk8"), (Fixtures.p256Public, .publicKey, "private key"),
            (Fixtures.certificate, .certificate, "certificate"), ("", .empty, "empty"),
            ("hello", .noKey, "-----BEGIN PRIVATE KEY-----"),
            ("-----BEGIN X-----\n-----END X-----", .noKey, "block X"),
            (String(repeating: "x", count: 16 * 1024 + 1), .tooLarge, "16385"),
            (String(pem.dropLast(20)), .truncated, "-----END PRIVATE KEY-----"),
            (pem.replacing("\n", with: "\\n"), .malformed, "backslash"),
            (pem.replacing("9", with: "*"), .malformed, "base64"),
        ]
        for (file, code, mention) in files {
            let error = try error(file)
            #expect(error.code == code, "\(file.prefix(40)): \(error)")
            #expect(error.detail.contains(mention), "\(error)")
        }
        #expect(Set(try files.map { try error($0.0).description }).count == files.count)
        #expect(code(Array(" \r\n".utf8)) == .empty)
        #expect(code(Array("0815".utf8)) == .noKey)
    }

    @Test func `a file in UTF-16 is refused with its encoding`() {
        let ascii = Array(Fixtures.p256.utf8)
        let little: [UInt8] = ascii.flatMap { [$0, 0] }
        let big: [UInt8] = ascii.flatMap { [0, $0] }
        let files: [[UInt8]] = [[0xff, 0xfe] + little, [0xfe, 0xff] + big, little, big]
        for file in files {
            let error = #expect(throws: KeyError.self) { try SigningKey(content: file) }
            #expect(error?.code == .noKey && error?.detail.contains("is text in UTF-16") == true)
        }
    }

    @Test func `a wrong key without PEM, or under the wrong label, is recognised by its shape`() throws {
        let files: [(String, String, KeyError.Code)] = [
            (Fixtures.sec1, "EC PRIVATE KEY", .sec1), (Fixtures.encrypted, "ENCRYPTED PRIVATE KEY", .encrypted),
            (Fixtures.p256Public, "PUBLIC KEY", .publicKey), (Fixtures.certificate, "CERTIFICATE", .certificate),
            (Fixtures.rsa, "PRIVATE KEY", .rsa),
        ]
        for (file, label, expected) in files {
            let der = try #require(PEMBlock.blocks(in: Array(file.utf8)).first { $0.label == label }).decoded()
            #expect(code(der) == expected, "\(label)")
            #expect(code(PEMBlock.encode(der, label: "PRIVATE KEY")) == expected, "\(label)")
        }
    }

    @Test func `a private value of zero, of the order or above it is refused, its neighbours are taken`() {
        let order = Fixtures.hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        let zero = [UInt8](repeating: 0, count: 32)
        for value in [zero, order, [UInt8](repeating: 0xff, count: 32), []] {
            #expect(code(P8(privateValue: value, point: nil).der) == .privateValueOutOfRange)
        }
        let values: [[UInt8]] = [zero.dropLast() + [1], order.dropLast() + [0x50], [1]]
        for value in values {
            #expect(code(P8(privateValue: value, point: nil).der) == nil)
        }
        #expect(code(P8(privateValue: [0] + Fixtures.privateValue, point: nil).der) == .malformed)
    }

    @Test func `a public key that is not the private one's is refused`() throws {
        let other = try SigningKey.generate().p8
        let der = try KeyFile(other, .privateKey).der
        #expect(code(P8(point: Array(der.suffix(65))).der) == .badPublicKey)
        #expect(code(P8(point: [4] + [UInt8](repeating: 7, count: 64)).der) == .badPublicKey)
        #expect(code(P8(point: [9]).der) == .badPublicKey)
    }

    @Test func `every cut of a file is refused, as PEM and as DER`() {
        let text = Array(Fixtures.p256.utf8)
        for count in text.indices {
            let code = code(Array(text.prefix(count)))
            #expect(code == (count == 0 ? .empty : count < 27 ? .noKey : .truncated), "\(count) bytes")
        }
        let der = P8(hasParameters: true).der
        for count in 1..<der.count { #expect(code(Array(der.prefix(count))) != nil, "\(count) bytes") }
        for count in 3..<der.count { #expect(code(Array(der.prefix(count))) == .truncated, "\(count) bytes") }
        for count in 1..<der.count {
            let cut = PEMBlock.encode(Array(der.prefix(count)), label: "PRIVATE KEY")
            #expect(code(cut) == .truncated, "\(count) bytes")
        }
        #expect(code(der + [0]) == .malformed)
    }

    @Test func `no flipped bit of a file with a public key goes unnoticed or crashes`() {
        let der = P8().der
        for position in der.indices {
            for bit in 0..<8 {
                var changed = der
                changed[position] ^= 1 << bit
                let isVersion = position == 5 && bit == 0  // version 1 of PKCS#8 exists
                #expect((code(changed) == nil) == isVersion, "bit \(bit) of byte \(position)")
            }
        }
    }

    @Test func `nothing that describes a key or an error shows the key`() throws {
        let key = try SigningKey(p8: Array(pem.utf8))
        var dumped = ""
        dump(key, to: &dumped)
        let secret = pem.split(separator: "\n")[1].dropFirst(40)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains(secret) && !text.contains("14773d5a"))
        }
        let errors = [String(pem.dropLast(20)), pem.replacing("M", with: "*"), Fixtures.sec1, Fixtures.ed25519]
        for file in errors { #expect(!(try error(file).description).contains(secret)) }
    }

    @Test func `one key signs and checks in many tasks at once`() async throws {
        let key = try SigningKey(p8: Array(pem.utf8))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let message = Array("message \(number)".utf8)
                    return key.publicKey.isValid(rawSignature: try key.signature(for: message), for: message)
                }
            }
            for try await isValid in group { #expect(isValid) }
        }
    }
}
