import APNSModel
import Testing

@testable import ProviderToken

@Suite struct ParsedTokenTests {
    private let key: SigningKey

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

    private func error(
        _ authorization: String, _ strictness: ParsedToken.Strictness = .lenient
    ) -> ProviderTokenError? {
        do {
            _ = try ParsedToken(authorization: authorization, strictness: strictness)
            return nil
        } catch {
            return error
        }
    }

    @Test func `messages speak of claims in the plural`() {
        let (claims, header) = (ProviderTokenError.notBase64(.claims), ProviderTokenError.notBase64(.header))
        #expect(claims.description == "the claims of the provider token are not base64url")
        #expect(header.description == "the header of the provider token is not base64url")
    }

    @Test(arguments: [
        (#"{"iss":"TEAM123456","iat":1700000000}"#, nil), (#"{"iss":"TEAM123456","iat":1700000000,"sub":7}"#, nil),
        (#"{"iss":"TEAM123456","iat":1700000000,"sub":"com.example.agent"}"#, "com.example.agent"),
    ])
    func `a sub claim is read if it is a string`(claims: String, subject: String?) throws {
        let header = #"{"alg":"ES256","kid":"ABC123DEFG"}"#
        #expect(try ParsedToken(authorization: "bearer \(token(header, claims))").subject == subject)
    }

    @Test func `the scheme may be in any case, with any blanks around it`() throws {
        let token = try token()
        for value in ["bearer \(token)", "Bearer \(token)", "BEARER   \(token)", " bearer\t\(token) \t"] {
            #expect(error(value) == nil, "\(value.prefix(12))")
        }
    }

    @Test func `the lenient forms are accepted by the lenient check only`() throws {
        let padded: ([UInt8]) -> [UInt8] = { bytes in
            let bare = Base64.encodeURL(bytes)
            return bare + [UInt8](repeating: 0x3d, count: (4 - bare.count % 4) % 4)
        }
        let asText = #"{"iss":"TEAM123456","iat":"1700000000"}"#
        let forms: [(String, ProviderTokenError?)] = [
            (try token(encode: { Base64.encode($0) }), .notBase64URL(.header)),
            (try token(encode: padded), .notBase64URL(.header)),
            (try token(#"{"alg":"ES256","kid":"K"}"#, asText), .issuedAtNotNumber),
        ]
        for (form, refused) in forms {
            let read = try ParsedToken(authorization: "bearer \(form)")
            #expect(read.isSigned(by: key.publicKey) && read.issuedAt == 1_700_000_000)
            #expect(error("bearer \(form)", .strict) == refused)
        }
        let der = try token(isDER: true)
        #expect(try ParsedToken(authorization: "bearer \(der)").isSigned(by: key.publicKey))
        #expect(!(try ParsedToken(authorization: "bearer \(der)", strictness: .strict).isSigned(by: key.publicKey)))
    }

    @Test func `typ, other claims and ids of any form are accepted`() throws {
        let text = try token(
            #"{"typ":"JWT","alg":"ES256","kid":"short","x":{"alg":"none"}}"#,
            #"{"iss":"team","iat":-5,"kid":"other","aud":["a",{"iss":"b"}],"exp":1}"#)
        let read = try ParsedToken(authorization: "bearer \(text)", strictness: .strict)
        #expect(read.keyID == "short" && read.teamID == "team" && read.issuedAt == -5)
    }

    @Test func `a header without a token is MissingProviderToken`() throws {
        #expect(throws: ProviderTokenError.noHeader) { try ParsedToken(authorization: nil) }
        let errors: [(String, ProviderTokenError)] = [
            ("", .emptyHeader), ("  ", .emptyHeader), (try token(), .noBearerScheme), ("Basic abc", .noBearerScheme),
            ("bearer", .emptyToken), ("bearer  ", .emptyToken), ("bearerx y", .noBearerScheme),
        ]
        for (value, expected) in errors {
            #expect(error(value) == expected)
            #expect(expected.reason == .missingProviderToken)
        }
    }

    @Test func `each unreadable token is InvalidProviderToken, with its own sentence`() throws {
        let good = #"{"alg":"ES256","kid":"ABC123DEFG"}"#
        let parts = try token().split(separator: ".").map { String($0) }
        let errors: [(String, ProviderTokenError)] = [
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
            (try token(good, #"{"iss":"T","iat":null}"#), .issuedAtNotNumber),
            (try token(good, #"{"iss":"T","iat":[1700000000]}"#), .issuedAtNotNumber),
            (try token(good, #"{"iss":"T","iat":"soon"}"#), .issuedAtNotNumber),
            (try token(good, #"{"iss":"T","iat":"1700000000.31"}"#), .issuedAtNotNumber),
            (try token(good, #"{"iss":"T","iat":99999999999999999999}"#), .issuedAtOutOfRange),
            (try token(good, #"{"iss":"T","iat":1e400}"#), .issuedAtOutOfRange),
            (String(repeating: "a", count: 4090), .tooLong(bytes: 4097)),
        ]
        for (text, expected) in errors {
            #expect(error("bearer \(text)") == expected, "\(text.prefix(80))")
            #expect(expected.reason == .invalidProviderToken)
        }
        let all = Set(
            errors.map(\.1) + [.noHeader, .emptyHeader, .noBearerScheme, .emptyToken, .notBase64URL(.header)])
        #expect(Set(all.map(\.description)).count == all.count)
    }

    @Test func `an unknown algorithm is shown short and in printable ASCII`() {
        let error = ProviderTokenError.wrongAlgorithm("\n\u{1b}[31m" + String(repeating: "x", count: 500))
        #expect(!error.description.contains("\n") && !error.description.contains("\u{1b}"))
        #expect(error.description.utf8.count < 100)
        #expect(ProviderTokenError.wrongAlgorithm("\n").description.contains("unprintable name"))
    }

    @Test func `no part can be changed without breaking the signature, and nothing crashes`() throws {
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

    // MARK: JSON

    @Test func `the last of several members with the same key counts`() throws {
        let text = try token(
            #"{"alg":"none","alg":"ES256","kid":"first","kid":"last"}"#,
            #"{"iss":"first","iss":"last","iat":1,"iat":2}"#)
        let read = try ParsedToken(authorization: "bearer \(text)")
        #expect(read.keyID == "last" && read.teamID == "last" && read.issuedAt == 2)
        #expect(error("bearer \(try token(#"{"alg":"ES256","alg":"none","kid":"K"}"#))") == .wrongAlgorithm("none"))
    }

    @Test func `escapes in keys and strings are decoded`() throws {
        let text = try token(#"{"\u0061lg":"ES\u0032\u00356","kid":"a\"\\\/\u00e9\ud83d\ude00"}"#)
        #expect(try ParsedToken(authorization: "bearer \(text)").keyID == "a\"\\/é😀")
    }

    @Test(arguments: ["-5", "0", "-0", "9223372036854775807", "-9223372036854775808"])
    func `iat may be any whole number of 64 bits`(digits: String) throws {
        let text = try token(#"{"alg":"ES256","kid":"K"}"#, #"{"iss":"T","iat":\#(digits)}"#)
        #expect(try ParsedToken(authorization: "bearer \(text)", strictness: .strict).issuedAt == Int64(digits))
    }

    @Test(
        arguments: [
            ("1795382457.31", 1_795_382_457), ("1795382457.0", 1_795_382_457), ("1.7e9", 1_700_000_000), ("-0.5", -1),
        ] as [(String, Int64)], [ParsedToken.Strictness.lenient, .strict])
    func `iat may have a fraction or an exponent, also in the strict form`(
        iat: (String, Int64), strictness: ParsedToken.Strictness
    ) throws {
        let text = try token(#"{"alg":"ES256","kid":"K"}"#, #"{"iss":"T","iat":\#(iat.0)}"#)
        let read = try ParsedToken(authorization: "bearer \(text)", strictness: strictness)
        #expect(read.issuedAt == iat.1 && read.isSigned(by: key.publicKey))
    }

    @Test(arguments: [
        "1", "\"a\"", "null", "{", "{}}", "{} x", #"{"a":1,}"#, #"{"a":01}"#, #"{"a":"\x"}"#, #"{"a":"\ud800"}"#,
        "{\"a\":\"\n\"}", "\u{feff}{}", "{\"a\":1}\u{0}",
    ])
    func `a header that is not a JSON object is refused`(header: String) throws {
        #expect(error("bearer \(try token(header))") == .notJSONObject(.header))
    }

    @Test func `bytes that are not UTF-8 are refused`() throws {
        for bytes: [UInt8] in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]] {
            let header = Array(#"{"alg":"ES256","kid":""#.utf8) + bytes + Array("\"}".utf8)
            let text = String(decoding: Base64.encodeURL(header), as: UTF8.self) + ".e30.AAAA"
            #expect(error("bearer \(text)") == .notJSONObject(.header))
        }
    }

    @Test func `nesting is bounded`() throws {
        func header(depth: Int) -> String {
            #"{"alg":"ES256","kid":"K","x":"# + String(repeating: "[", count: depth - 1)
                + String(repeating: "]", count: depth - 1) + "}"
        }
        #expect(error("bearer \(try token(header(depth: ParsedToken.maximumDepth)))") == nil)
        #expect(
            error("bearer \(try token(header(depth: ParsedToken.maximumDepth + 1)))") == .notJSONObject(.header))
    }
}
