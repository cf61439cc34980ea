import Foundation
import TestSupport
import Testing

@testable import ProviderToken

@Suite struct SigningKeySourcesTests {
    private static let pem = Fixtures.p256 + "\n"
    private static let base64 = Data(pem.utf8).base64EncodedString()
    private static let der = Data(P8().der).base64EncodedString()

    @Test(arguments: [
        pem, pem.replacing("\n", with: "\\n"), pem.replacing("\n", with: "\\r\\n"), pem.replacing("\n", with: "\\\\n"),
        pem.replacing("\n", with: ""), pem.replacing("\n", with: " "), pem.replacing("\n", with: "\\\n"),
        "\"\(pem.replacing("\n", with: "\\n"))\"", "'\(pem)'\n", " \n\(pem)", "\u{FEFF}\(pem)",
        base64, "\"\(base64)\"", base64 + "\n", String(base64.prefix(76)) + "\n" + base64.dropFirst(76),
        base64.replacing("=", with: ""), base64.replacing("+", with: "-").replacing("/", with: "_"),
        Data(pem.replacing("\n", with: "\\n").utf8).base64EncodedString(), der, der.replacing("=", with: ""),
    ])
    func `a key is read from each form in which deployments hand it on`(text: String) throws {
        let expected = try VerifyingKey(pem: Fixtures.p256Public)
        #expect(try SigningKey(pem: text).publicKey == expected)
        #expect(try SigningKey(pem: Substring(text)).publicKey == expected)
    }

    @Test(arguments: [
        ("", KeyError.Code.empty, "is empty"), (" \n", .empty, "is empty"), ("\"\"", .empty, "is empty"),
        ("\\n", .empty, "is empty"),
        ("/run/secrets/key", .noKey, "path of a file"), ("AuthKey_ABC123DEFG.p8", .noKey, "SigningKey(path:)"),
        ("~/key.p8", .noKey, "path of a file"), ("ABC123DEFG", .noKey, "key id or a team id"),
        ("hello world!", .noKey, "neither PEM nor base64"),
        ("aGVsbG8gd29ybGQsIGhlbGxvIQ==", .noKey, "base64 of something"),
        (Fixtures.rsa, .rsa, "RSA"), (Fixtures.certificate, .certificate, "certificate"),
        (Data(Fixtures.rsa.utf8).base64EncodedString(), .rsa, "RSA"),
        (Data(base64.utf8).base64EncodedString(), .noKey, "base64 of something"),
        (String(pem.dropLast(30)), .truncated, "-----END"),
        (String(repeating: "A", count: 40_000), .tooLarge, "40000"),
    ])
    func `an error says what was found`(text: String, code: KeyError.Code, mention: String) {
        let error = #expect(throws: KeyError.self) { try SigningKey(pem: text) }
        #expect(error?.code == code && error?.detail.contains(mention) == true, "\(String(describing: error))")
        #expect(error?.detail.contains("hello") == false && error?.detail.contains("aGVs") == false)
    }

    @Test func `a file is read by its path, and an error begins with it`() throws {
        try withTemporaryFolder { url in
            let folder = url.path
            let path = folder + "/AuthKey_ABC123DEFG.p8"
            let expected = try VerifyingKey(pem: Fixtures.p256Public)
            for bytes in [Data(Self.pem.utf8), Data(Self.base64.utf8), Data(P8().der)] {
                try bytes.write(to: URL(filePath: path))
                #expect(try SigningKey(path: path).publicKey == expected)
            }
            try Data("no key".utf8).write(to: URL(filePath: path))
            let cases: [(String, KeyError.Code, String)] = [
                (path, .noKey, "neither PEM"), (folder, .unreadable, "name the .p8 file in it"),
                (folder + "/none.p8", .unreadable, "check the path"), ("~/none.p8", .unreadable, "not expanded"),
            ]
            for (path, code, mention) in cases {
                let error = #expect(throws: KeyError.self) { try SigningKey(path: path) }
                #expect(error?.code == code && error?.detail.hasPrefix(path) == true, "\(String(describing: error))")
                #expect(error?.detail.contains(mention) == true, "\(String(describing: error))")
            }
            try Data(count: 40_000).write(to: URL(filePath: path))
            #expect(throws: KeyError.self) { try SigningKey(path: path) }
        }
    }

    @Test func `a key is read from an environment variable, and an error begins with its name`() throws {
        let unset = #expect(throws: KeyError.self) { try SigningKey(environment: "APNS_TEST_UNSET") }
        #expect(unset?.code == .noVariable && unset?.detail.contains("APNS_TEST_UNSET is not set") == true)
        func key(_ value: String) throws(KeyError) -> SigningKey {
            try SigningKey(environment: "KEY") { $0 == "KEY" ? value : nil }
        }
        let read = try key(Self.pem.replacing("\n", with: "\\n"))
        #expect(read.publicKey == (try VerifyingKey(pem: Fixtures.p256Public)))
        for (value, code) in [("", KeyError.Code.empty), ("/key.p8", .noKey), (Fixtures.sec1, .sec1)] {
            let error = #expect(throws: KeyError.self) { try key(value) }
            #expect(error?.code == code, "\(String(describing: error))")
            #expect(error?.detail.hasPrefix("the environment variable KEY: ") == true)
        }
    }

    @Test func `no cut or changed text shows key material or crashes`() throws {
        let secret = Self.pem.split(separator: "\n")[1].dropFirst(40)
        for text in [Self.pem, Self.base64, Self.der] {
            for count in stride(from: 0, to: text.utf8.count, by: 3) {
                do {
                    _ = try SigningKey(pem: text.prefix(count))
                } catch {
                    #expect(
                        !error.detail.contains(secret) && !error.detail.contains(Self.base64.dropFirst(60).prefix(20)))
                }
            }
        }
    }
}
