import Foundation
import NoticeEncryption
import PushDispatch
import Testing

/// Decryption of a notice in a notification service extension (docs/reference/selective-sync.md 4.6).
struct EncryptedNoticeTests {
    /// Shared by all tests, because making a key takes a tenth of a second.
    private static let pair = NoticePrivateKey()
    private let key: NoticePrivateKey
    private let publicKey: NoticePublicKey

    init() throws {
        key = try #require(Self.pair)
        publicKey = try #require(NoticePublicKey(key.publicKey))
    }

    private static let inner: [String: JSONValue] = [
        "alertTitle": "Visit", "alertBody": "Northwind, at noon", "nid": "0123", "oid": "00Dxx0000000001EAA",
        "badge": 3,
        "type": -1,
    ]

    /// A payload like the platform's, with a test's changes; nil removes a key.
    private func payload(
        _ inner: [String: JSONValue] = inner, padding: NoticePadding = .oaepSHA256,
        _ changes: [String: JSONValue?] = [:]
    ) throws -> [String: JSONValue] {
        let notice = try #require(publicKey.encrypt(inner, padding: padding))
        var members: [String: JSONValue] = [
            "aps": ["alert": ["title": "Visits", "body": "Open the app"], "mutable-content": 1, "badge": 1],
            "encrypted": true, "secret": .string(notice.secret), "content": .string(notice.content), "nid": "outer",
        ]
        for (key, value) in changes { members[key] = value }
        return members
    }

    private func push(_ payload: [String: JSONValue]) -> Push {
        Push(json: Data(JSONValue.object(payload).compactBytes))
    }

    @Test(arguments: [NoticePadding.oaepSHA256, .pkcs1])
    func `decrypted members replace those of the payload and its alert`(padding: NoticePadding) throws {
        let encrypted = try payload(padding: padding)
        let opened = try push(encrypted).decryptedNotice(with: key)
        var wanted = encrypted.merging(Self.inner) { _, new in new }
        wanted["content"] = nil
        wanted["aps"] = ["alert": ["title": "Visit", "body": "Northwind, at noon"], "mutable-content": 1, "badge": 1]
        #expect(opened.payload == wanted)
    }

    @Test func `an alert keeps a text that the content does not replace`() throws {
        let opened = try push(payload(["alertTitle": "Visit", "alertBody": 7])).decryptedNotice(with: key)
        #expect(opened["aps"]?.object?["alert"] == ["title": "Visit", "body": "Open the app"])
    }

    @Test(arguments: [[:], ["encrypted": false], ["encrypted": "yes"]] as [[String: JSONValue]])
    func `a push that does not say it is encrypted is left alone`(members: [String: JSONValue]) throws {
        let push = push(members.merging(["aps": ["alert": "Hi"], "content": "x"]) { _, new in new })
        #expect(try push.decryptedNotice(with: nil) == push)
    }

    /// Each payload also has all later errors, so that the result shows the order.
    @Test func `checks run in the platform's order`() throws {
        var members: [String: JSONValue] = ["encrypted": true]
        func fault(_ cipher: NoticePrivateKey? = nil) -> Int? {
            do throws(NoticeError) {
                _ = try push(members).decryptedNotice(with: cipher)
                return nil
            } catch { return error.code.rawValue }
        }
        #expect(fault() == -1001)
        members["secret"] = "!"
        #expect(fault() == -1002)
        members["content"] = "!"
        #expect(fault() == -1005)
        members["aps"] = ["alert": "Hi"]
        #expect(fault() == -1006)
        members["aps"] = ["alert": ["title": 7]]
        #expect(fault() == -1003)
        members["aps"] = ["alert": ["title": "Visits"]]
        #expect(fault() == -1004)
        members["aps"] = ["alert": ["title": "Visits", "body": "Open the app"]]
        #expect(fault() == -1007)
        // Longer than the key, because some libraries decrypt a wrong secret of the right length to random bytes.
        members["secret"] = .string(Data(repeating: 7, count: 300).base64EncodedString())
        #expect(fault() == -1008)
        #expect(fault(key) == -1009)
        members["secret"] = try payload()["secret"]
        #expect(fault(key) == -1010)
        members["content"] = .string(Data(repeating: 7, count: 17).base64EncodedString())
        #expect(fault(key) == -1011)
    }

    @Test func `a content that is not a JSON object has its own error`() throws {
        let other = try #require(NoticePrivateKey())
        // A cipher that decrypts the secret correctly and the content to another text.
        struct Text: NoticeCipher {
            let key: NoticePrivateKey
            let text: String
            func decryptSecret(_ secret: Data, padding: NoticePadding) -> Data? {
                key.decryptSecret(secret, padding: padding)
            }
            func decryptContent(_ content: Data, key: Data, initializationVector: Data) -> Data? { Data(text.utf8) }
        }
        for text in ["[]", "{", "", "\u{feff}{}"] {
            let error = #expect(throws: NoticeError.self) {
                try push(payload()).decryptedNotice(with: Text(key: key, text: text))
            }
            #expect(error?.code == .contentNotJSONObject, "\(text)")
        }
        let error = #expect(throws: NoticeError.self) { try push(payload()).decryptedNotice(with: other) }
        let codes: [NoticeError.Code] = [.secretNotDecrypted, .contentNotDecrypted, .contentNotJSONObject]
        #expect(error.map { codes.contains($0.code) } == true)
    }

    @Test func `a secret may be broken into lines`() throws {
        var members = try payload()
        for name in ["secret", "content"] {
            let text = Array(try #require(members[name]?.string))
            members[name] = .string(String(text.prefix(64)) + "\r\n" + String(text.dropFirst(64)) + "\n")
        }
        #expect(try push(members).decryptedNotice(with: key)["nid"] == "0123")
    }

    @Test func `a changed or truncated content is an error or garbled data, never a crash`() throws {
        let members = try payload()
        let content = try #require(Data(base64Encoded: members["content"]?.string ?? ""))
        for place in 0..<content.count {
            var changed = content
            changed[place] ^= 0x55
            for bytes in [changed, content.prefix(place)] {
                var members = members
                members["content"] = .string(bytes.base64EncodedString())
                do throws(NoticeError) {
                    let opened = try push(members).decryptedNotice(with: key)
                    // CBC does not detect changes, so a garbled block can still be valid JSON.
                    #expect(opened["content"] == nil)
                } catch {
                    #expect([.contentNotDecrypted, .contentNotJSONObject].contains(error.code))
                }
            }
        }
    }

    @Test func `an error shows no value of the payload`() throws {
        let error = #expect(throws: NoticeError.self) {
            try push(payload(Self.inner, ["secret": "password-of-ada!"])).decryptedNotice(with: key)
        }
        #expect(error.map { "\($0)" } == "encrypted notice: secret is not base64 [-1007]")
    }
}
