import Foundation
import NoticeEncryption
import PushDispatch
import Testing

/// Keys in the form in which devices register them (docs/reference/selective-sync.md 4.3).
struct NoticeKeyTests {
    /// `openssl genrsa 2048 | openssl rsa -pubout`, without the lines of the PEM form.
    private static let foreign = """
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA06k40gT7+s74Nr1luver
        Pybfj48Y2XljgsL9uwjMupRh153jpomllFvO4hfF6OTlJ9FQfLYoF8gkZcDVGibJ
        dAR9a58F54Yio0n3QsO/JcyPj9qi/zqDKrBhwO1J7k3psMTel9wcwpS1FXdhypdT
        nPYXiCP2J/EozFxRUOOwaHaaUq+hReBvivob1lXO/Phw1kV9P2DmMzh6d85Y9Wfx
        5HwFRCZhQBOgIVyIFiOiAmjRWxvXo7YNohK9BxcVXWL0g/NadFQskN9I2BHbYc8K
        PrJJiabUvvYd6i9bsVw84wAOYNpfxKAmd4Xw08IdfIGQVw4YkxgmwPdwqzZZvkJK
        DQIDAQAB
        """

    private func der(_ text: String) throws -> Data {
        try #require(Data(base64Encoded: text.filter { !$0.isNewline }))
    }

    @Test func `a key is written in lines of 64 characters and read with and without them`() throws {
        let key = try #require(NoticePrivateKey())
        let lines = key.publicKey.components(separatedBy: "\r\n")
        #expect(lines.map(\.count) == [64, 64, 64, 64, 64, 64, 8])
        for text in [key.publicKey, lines.joined(), lines.joined(separator: "\n")] {
            #expect(NoticePublicKey(text) != nil)
        }
    }

    @Test func `a key made by another program is read`() { #expect(NoticePublicKey(Self.foreign) != nil) }

    @Test func `a missing algorithm is added to a key`() throws {
        let whole = try der(Self.foreign)
        let bare = whole.dropFirst(24)
        #expect(NoticeEncoding.subjectPublicKeyInfo(of: Data(bare)) == whole)
        #expect(NoticeEncoding.subjectPublicKeyInfo(of: Data(bare.dropLast())) == nil)
        #expect(NoticeEncoding.subjectPublicKeyInfo(of: Data(repeating: 0x30, count: bare.count)) == nil)
    }

    @Test func `a value that is not an RSA key of 2048 bits is refused`() throws {
        let whole = try der(Self.foreign)
        let short = try #require(NoticePrivateKey(bits: 1_024))
        // A P-256 key in the same form.
        let other =
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEJcPEjlEluoF029oiZPd64RLmp+ccKpp+EyC2Otvx"
            + "6ArkC1wBrkgU0MDrXf83aIDFhhdZ/Mn85SW/J4nhCzIOhA=="
        for text in [
            "", "!", "AAAA", short.publicKey, other, whole.dropFirst(24).base64EncodedString(),
            whole.dropLast().base64EncodedString(), (whole + [0]).base64EncodedString(), Self.foreign + "!",
        ] {
            #expect(NoticePublicKey(text) == nil, "\(text)")
        }
    }

    @Test func `two notices never share a key`() throws {
        let key = try #require(NoticePublicKey(Self.foreign))
        let notices = try (0..<2).map { _ in try #require(key.encrypt(["a": 1], padding: .oaepSHA256)) }
        #expect(notices[0].secret != notices[1].secret && notices[0].content != notices[1].content)
    }
}
