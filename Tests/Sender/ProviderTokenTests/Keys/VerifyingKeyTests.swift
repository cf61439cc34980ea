import Testing

@testable import ProviderToken

@Suite struct VerifyingKeyTests {
    @Test func `a public key survives being read and written, and equals itself only`() throws {
        let key = try VerifyingKey(pem: Fixtures.p256Public)
        #expect(key.pem == Fixtures.p256Public + "\n")
        let other = try SigningKey.generate().publicKey
        #expect(key != other)
        #expect(Set([key, other, try VerifyingKey(pem: other.pem)]).count == 2)
    }

    @Test func `a compressed point is the same key`() throws {
        let key = try VerifyingKey(pem: Fixtures.p256PublicCompressed)
        #expect(key == (try VerifyingKey(pem: Fixtures.p256Public)))
        #expect(key.pem == Fixtures.p256Public + "\n")
    }

    @Test func `bare DER is read like PEM`() throws {
        let der = P256Encoding.subjectPublicKeyInfo(point: Fixtures.point)
        #expect(try VerifyingKey(pem: der) == VerifyingKey(pem: Fixtures.p256Public))
    }

    @Test func `anything but a P-256 public key is refused with a message of its own`() throws {
        var offCurve = Fixtures.point
        offCurve[64] ^= 1
        let offCurvePEM = PEMBlock.encode(P256Encoding.subjectPublicKeyInfo(point: offCurve), label: "PUBLIC KEY")
        let short = P256Encoding.subjectPublicKeyInfo(point: Array(Fixtures.point.dropLast()))
        let files: [([UInt8], KeyError.Code)] = [
            (Array(Fixtures.p256.utf8), .privateKey), (P8().der, .privateKey), (Array(Fixtures.sec1.utf8), .privateKey),
            (Array(Fixtures.encrypted.utf8), .privateKey), (Array(Fixtures.rsa.utf8), .privateKey),
            (Array(Fixtures.certificate.utf8), .certificate), ([], .empty), (Array("hello".utf8), .noKey),
            (offCurvePEM, .badPublicKey), (PEMBlock.encode(short, label: "PUBLIC KEY"), .badPublicKey),
            (PEMBlock.encode([0x30, 0x59, 0x30], label: "PUBLIC KEY"), .truncated),
            (PEMBlock.encode(P8().der, label: "PUBLIC KEY"), .privateKey),
        ]
        for (file, code) in files {
            let error = try #require(throws: KeyError.self) { try VerifyingKey(pem: file) }
            #expect(error.code == code, "\(error)")
        }
    }

    @Test func `no flipped bit of a public key crashes or leaves the key as it was`() throws {
        let der = P256Encoding.subjectPublicKeyInfo(point: Fixtures.point)
        let key = try VerifyingKey(pem: der)
        for position in der.indices {
            for bit in 0..<8 {
                var changed = der
                changed[position] ^= 1 << bit
                #expect((try? VerifyingKey(pem: changed)) != key)
            }
        }
    }

    @Test func `every flipped bit and every cut of a signature is noticed`() throws {
        let key = try SigningKey.generate()
        let message = Array("message".utf8)
        let raw = try key.signature(for: message)
        let der = try #require(ECDSASignature(raw: raw)).der
        #expect(key.publicKey.isValid(derSignature: der, for: message))
        #expect(!key.publicKey.isValid(rawSignature: der, for: message))
        #expect(!key.publicKey.isValid(derSignature: raw, for: message))
        for position in 0..<(raw.count * 8) {
            var changed = raw
            changed[position / 8] ^= 1 << (position % 8)
            #expect(!key.publicKey.isValid(rawSignature: changed, for: message))
        }
        for position in 0..<(der.count * 8) {
            var changed = der
            changed[position / 8] ^= 1 << (position % 8)
            #expect(!key.publicKey.isValid(derSignature: changed, for: message))
        }
        for count in raw.indices {
            #expect(!key.publicKey.isValid(rawSignature: Array(raw.prefix(count)), for: message))
        }
        for count in der.indices {
            #expect(!key.publicKey.isValid(derSignature: Array(der.prefix(count)), for: message))
        }
        #expect(!key.publicKey.isValid(rawSignature: raw + [0], for: message))
        #expect(!key.publicKey.isValid(derSignature: der + [0], for: message))
    }

    @Test(arguments: SignatureVectors.all)
    func `each signature of a collection is judged as its maker judges it`(vectors: SignatureVectors) throws {
        var judged = 0
        for (key, vector) in try vectors.read() {
            judged += 1
            let (signature, message) = (Fixtures.hex(vector.sig), Fixtures.hex(vector.msg))
            let verdict =
                switch vectors.form {
                case .der: key.isValid(derSignature: signature, for: message)
                case .p1363: key.isValid(rawSignature: signature, for: message)
                }
            guard vector.result != "acceptable" else { continue }
            #expect(verdict == (vector.result == "valid"), "\(vector.tcId): \(vector.comment)")
        }
        #expect(judged >= 250)
    }
}
