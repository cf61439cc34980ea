import APNSModel
import Testing

@testable import ProviderToken

@Suite struct ParsedTokenTests {
    private let key: SigningKey
    private let keyID = KeyID("ABC123DEFG")!
    private let teamID = TeamID("TEAM123456")!

    init() throws { key = try SigningKey(p8: Array(Fixtures.p256.utf8)) }

    /// A token with this header and these claims, in any form.
    private func token(
        _ header: String = #"{"alg":"ES256","kid":"ABC123DEFG"}"#,
        _ claims: String = #"{"iss":"TEAM123456","iat":1700000000}"#,
        encode: (([UInt8]) -> [UInt8]) = { Base64.encodeURL($0) }, isDER: Bool = false
    ) throws -> String {
        let text = encode(Array(header.utf8)) + [0x2e] + encode(Array(claims.utf8))
        let raw = try key.signature(for: text)
        let signature = isDER ? try #require(ECDSASignature(raw: raw)).der : raw
        return String(decoding: text + [0x2e] + encode(signature), as: UTF8.self)
    }

    private func fault(
        _ authorization: String, _ strictness: ParsedToken.Strictness = .lenient
    ) -> ProviderTokenError? {
        do {
            _ = try ParsedToken(authorization: authorization, strictness: strictness)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a signed token is in the strict form, to the byte`() throws {
        let text = try SignedToken(keyID: keyID, teamID: teamID, issuedAt: 1_700_000_000, key: key).text
        let parts = text.split(separator: ".").map { String($0) }
        try #require(parts.count == 3)
        let plain = try parts.map { try Base64.decode($0.utf8, as: .strictURL) }
        #expect(String(decoding: plain[0], as: UTF8.self) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
        #expect(String(decoding: plain[1], as: UTF8.self) == #"{"iss":"TEAM123456","iat":1700000000}"#)
        #expect(plain[2].count == 64)

        let read = try ParsedToken(authorization: "bearer \(text)", strictness: .strict)
        #expect(read.keyID == "ABC123DEFG" && read.teamID == "TEAM123456" && read.issuedAt == 1_700_000_000)
        #expect(read.isSigned(by: key.publicKey))
        #expect(!read.isSigned(by: try SigningKey.generate().publicKey))
    }

    @Test(arguments: [
        (#"{"iss":"TEAM123456","iat":1700000000}"#, nil), (#"{"iss":"TEAM123456","iat":1700000000,"sub":7}"#, nil),
        (#"{"iss":"TEAM123456","iat":1700000000,"sub":"com.example.agent"}"#, "com.example.agent"),
    ])
    func `a sub claim is read where it is a text`(claims: String, subject: String?) throws {
        let header = #"{"alg":"ES256","kid":"ABC123DEFG"}"#
        #expect(try ParsedToken(authorization: "bearer \(token(header, claims))").subject == subject)
    }

    @Test(arguments: ["ABC123DEF", "ABC123DEFGH", "abc123defg", "ABC123DEF\"", "ABC123DEÉ", ""])
    func `an id that is not 10 digits and capitals cannot be signed with`(text: String) {
        #expect(KeyID(text) == nil)
        #expect(TeamID(text) == nil)
    }

    @Test func `the word bearer may have any case and any blanks around it`() throws {
        let token = try token()
        for value in ["bearer \(token)", "Bearer \(token)", "BEARER   \(token)", " bearer\t\(token) \t"] {
            #expect(fault(value) == nil, "\(value.prefix(12))")
        }
    }

    @Test func `the lenient forms are taken, and only by the lenient check`() throws {
        let padded: ([UInt8]) -> [UInt8] = { bytes in
            let bare = Base64.encodeURL(bytes)
            return bare + [UInt8](repeating: 0x3d, count: (4 - bare.count % 4) % 4)
        }
        let asText = #"{"iss":"TEAM123456","iat":"1700000000"}"#
        let forms: [(String, ProviderTokenError?)] = [
            (try token(encode: { Base64.encode($0) }), .notBase64URL(.header)),
            (try token(encode: padded), .notBase64URL(.header)),
            (try token(#"{"alg":"ES256","kid":"K"}"#, asText), .issuedAtNotWhole),
        ]
        for (form, refused) in forms {
            let read = try ParsedToken(authorization: "bearer \(form)")
            #expect(read.isSigned(by: key.publicKey) && read.issuedAt == 1_700_000_000)
            #expect(fault("bearer \(form)", .strict) == refused)
        }
        let der = try token(isDER: true)
        #expect(try ParsedToken(authorization: "bearer \(der)").isSigned(by: key.publicKey))
        #expect(!(try ParsedToken(authorization: "bearer \(der)", strictness: .strict).isSigned(by: key.publicKey)))
    }

    @Test func `typ, other claims and ids of an odd form are no obstacle`() throws {
        let text = try token(
            #"{"typ":"JWT","alg":"ES256","kid":"short","x":{"alg":"none"}}"#,
            #"{"iss":"team","iat":-5,"kid":"other","aud":["a",{"iss":"b"}],"exp":1}"#)
        let read = try ParsedToken(authorization: "bearer \(text)", strictness: .strict)
        #expect(read.keyID == "short" && read.teamID == "team" && read.issuedAt == -5)
    }

    @Test func `a header that holds no token is a missing one`() throws {
        #expect(throws: ProviderTokenError.noHeader) { try ParsedToken(authorization: nil) }
        let faults: [(String, ProviderTokenError)] = [
            ("", .emptyHeader), ("  ", .emptyHeader), (try token(), .noBearerWord), ("Basic abc", .noBearerWord),
            ("bearer", .emptyToken), ("bearer  ", .emptyToken), ("bearerx y", .noBearerWord),
        ]
        for (value, expected) in faults {
            #expect(fault(value) == expected)
            #expect(expected.reason == .missingProviderToken)
        }
    }

    @Test func `each unreadable token is an invalid one, with its own sentence`() throws {
        let good = #"{"alg":"ES256","kid":"ABC123DEFG"}"#
        let parts = try token().split(separator: ".").map { String($0) }
        let faults: [(String, ProviderTokenError)] = [
            ("abc", .notThreeParts(count: 1)), ("a.b", .notThreeParts(count: 2)),
            ("a.b.c.d", .notThreeParts(count: 4)), ("*.\(parts[1]).\(parts[2])", .notBase64(.header)),
            ("\(parts[0]).a b.\(parts[2])", .notBase64(.claims)), ("\(parts[0]).\(parts[1]).é", .notBase64(.signature)),
            ("..", .notJSONObject(.header)), (try token("[]"), .notJSONObject(.header)),
            (try token(good, "{\"iss\""), .notJSONObject(.claims)),
            (try token(#"{"alg":"none","kid":"K"}"#), .wrongAlgorithm("none")),
            (try token(#"{"alg":"HS256","kid":"K"}"#), .wrongAlgorithm("HS256")),
            (try token(#"{"alg":"RS256","kid":"K"}"#), .wrongAlgorithm("RS256")),
            (try token(#"{"alg":"es256","kid":"K"}"#), .wrongAlgorithm("es256")),
            (try token(#"{"kid":"K"}"#), .wrongAlgorithm(nil)),
            (try token(#"{"alg":256,"kid":"K"}"#), .wrongAlgorithm(nil)),
            (try token(#"{"alg":"ES256"}"#), .noKeyID), (try token(#"{"alg":"ES256","kid":""}"#), .noKeyID),
            (try token(#"{"alg":"ES256","kid":7}"#), .noKeyID), (try token(good, #"{"iat":1}"#), .noTeamID),
            (try token(good, #"{"iss":"T"}"#), .noIssuedAt),
            (try token(good, #"{"iss":"T","iat":1.5}"#), .issuedAtNotWhole),
            (try token(good, #"{"iss":"T","iat":1e9}"#), .issuedAtNotWhole),
            (try token(good, #"{"iss":"T","iat":null}"#), .issuedAtNotWhole),
            (try token(good, #"{"iss":"T","iat":"soon"}"#), .issuedAtNotWhole),
            (try token(good, #"{"iss":"T","iat":99999999999999999999}"#), .issuedAtNotWhole),
            (String(repeating: "a", count: 4090), .tooLong(bytes: 4097)),
        ]
        for (text, expected) in faults {
            #expect(fault("bearer \(text)") == expected, "\(text.prefix(80))")
            #expect(expected.reason == .invalidProviderToken)
        }
        let all = Set(faults.map(\.1) + [.noHeader, .emptyHeader, .noBearerWord, .emptyToken, .notBase64URL(.header)])
        #expect(Set(all.map(\.description)).count == all.count)
    }

    @Test func `a peer's word is shown short and plain`() {
        let fault = ProviderTokenError.wrongAlgorithm("\n\u{1b}[31m" + String(repeating: "x", count: 500))
        #expect(!fault.description.contains("\n") && !fault.description.contains("\u{1b}"))
        #expect(fault.description.utf8.count < 100)
        #expect(ProviderTokenError.wrongAlgorithm("\n").description.contains("odd name"))
    }

    @Test func `neither part can be changed without breaking the signature, and nothing crashes`() throws {
        let value = Array("bearer \(try token())".utf8)
        #expect(try ParsedToken(authorization: value).isSigned(by: key.publicKey))
        for count in value.indices {
            guard let read = try? ParsedToken(authorization: Array(value.prefix(count))) else { continue }
            #expect(!read.isSigned(by: key.publicKey), "\(count) bytes")
        }
        // From the token's first character on; the last character carries unused bits, which the strict form refuses.
        for position in 7..<value.count {
            for bit in 0..<8 {
                var changed = value
                changed[position] ^= 1 << bit
                guard let read = try? ParsedToken(authorization: changed, strictness: .strict) else { continue }
                #expect(!read.isSigned(by: key.publicKey), "bit \(bit) of byte \(position)")
            }
        }
    }

    @Test func `what describes a token does not show its signature`() throws {
        let text = try token()
        let read = try ParsedToken(authorization: "bearer \(text)")
        let signed = SignedToken(text)
        var dumped = ""
        dump(signed, to: &dumped)
        for shown in ["\(read)", String(reflecting: read), "\(signed)", String(reflecting: signed), dumped] {
            #expect(!shown.contains(text.suffix(40)) && !shown.contains("eyJ"))
        }
        #expect("\(ProviderTokenRenewal.Action.use(signed))".contains("signed provider token"))
    }
}
