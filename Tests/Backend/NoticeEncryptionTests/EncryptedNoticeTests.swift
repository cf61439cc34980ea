import Foundation
import NoticeEncryption
import PushDispatch
import Testing

/// What a notification service extension does with a notice that was encrypted for its device (docs/reference/selective-sync.md 4.6).
struct EncryptedNoticeTests {
    /// Making one takes a tenth of a second, so all tests share it.
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

    /// A payload as the platform's builder makes it, with what a test wants otherwise; nil takes a key out.
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
    func `what was encrypted for the device stands at the root and in the alert`(padding: NoticePadding) throws {
        let encrypted = try payload(padding: padding)
        let opened = try push(encrypted).decryptedNotice(with: key)
        var wanted = encrypted.merging(Self.inner) { _, new in new }
        wanted["content"] = nil
        wanted["aps"] = ["alert": ["title": "Visit", "body": "Northwind, at noon"], "mutable-content": 1, "badge": 1]
        #expect(opened.payload == wanted)
    }

    @Test func `an alert keeps the text that the content has none for`() throws {
        let opened = try push(payload(["alertTitle": "Visit", "alertBody": 7])).decryptedNotice(with: key)
        #expect(opened["aps"]?.object?["alert"] == ["title": "Visit", "body": "Open the app"])
    }

    @Test(arguments: [[:], ["encrypted": false], ["encrypted": "yes"]] as [[String: JSONValue]])
    func `a push that does not say it is encrypted is left alone`(members: [String: JSONValue]) throws {
        let push = push(members.merging(["aps": ["alert": "Hi"], "content": "x"]) { _, new in new })
        #expect(try push.decryptedNotice(with: nil) == push)
    }

    /// Each with all later faults as well, so that the order shows.
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
        // Longer than the key: some libraries answer what is merely wrong with random bytes.
        members["secret"] = .string(Data(repeating: 7, count: 300).base64EncodedString())
        #expect(fault() == -1008)
        #expect(fault(key) == -1009)
        members["secret"] = try payload()["secret"]
        #expect(fault(key) == -1010)
        members["content"] = .string(Data(repeating: 7, count: 17).base64EncodedString())
        #expect(fault(key) == -1011)
    }

    @Test func `a content that is no JSON object is one of its own`() throws {
        let other = try #require(NoticePrivateKey())
        // A cipher that opens the secret as this device's and gives other text for the content.
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

    @Test func `a changed or shortened content is told or stays within its bounds, and never ends the process`() throws
    {
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
                    // The mode does not vouch for the text; a block that comes out otherwise can still be JSON.
                    #expect(opened["content"] == nil)
                } catch {
                    #expect([.contentNotDecrypted, .contentNotJSONObject].contains(error.code))
                }
            }
        }
    }

    @Test func `a fault shows no value of the payload`() throws {
        let error = #expect(throws: NoticeError.self) {
            try push(payload(Self.inner, ["secret": "password-of-ada!"])).decryptedNotice(with: key)
        }
        #expect(error.map { "\($0)" } == "encrypted notice: secret is not base64 [-1007]")
    }
}
