import Foundation
import PushDispatch
import Testing

/// The checks of an encrypted notice without cryptography. `NoticeEncryptionTests` decrypts real notices.
struct DecryptedNoticeTests {
    /// Answers with fixed bytes.
    private struct FixedCipher: NoticeCipher {
        var secret: Data? = Data(count: 32)
        var content: String? = #"{"alertTitle":"Visit","nid":"1"}"#

        func decryptSecret(_ secret: Data, padding: NoticePadding) -> Data? { self.secret }
        func decryptContent(_ content: Data, key: Data, initializationVector: Data) -> Data? {
            key.count == 16 && initializationVector.count == 16 ? self.content.map { Data($0.utf8) } : nil
        }
    }

    private static let payload: [String: JSONValue] = [
        "aps": ["alert": ["title": "New", "body": "Open the app"]], "encrypted": 1, "secret": "AAAA", "content": "AAAA",
    ]

    private func push(_ changes: [String: JSONValue] = [:]) -> Push {
        Push(bytes: JSONValue.object(Self.payload.merging(changes) { $1 }).compactBytes)
    }

    private func code(_ changes: [String: JSONValue] = [:], _ cipher: (any NoticeCipher)?) -> NoticeError.Code? {
        do throws(NoticeError) {
            _ = try push(changes).decryptedNotice(with: cipher)
            return nil
        } catch { return error.code }
    }

    @Test func `content replaces members of the root and text of the alert`() throws {
        let decrypted = try push(["nid": "0"]).decryptedNotice(with: FixedCipher())
        #expect(decrypted["nid"] == "1" && decrypted["content"] == nil)
        #expect(decrypted["aps"]?.object?["alert"] == ["title": "Visit", "body": "Open the app"])
    }

    @Test(
        arguments: [
            (["secret": 1], .secretMissing), (["content": .null], .contentMissing), (["aps": []], .apsMissing),
            (["aps": ["alert": "New"]], .alertNotDictionary), (["aps": ["alert": ["body": "x"]]], .alertTitleMissing),
            (["aps": ["alert": ["title": "x"]]], .alertBodyMissing), (["secret": "%"], .secretNotBase64),
            (["content": "%"], .contentNotBase64),
        ] as [([String: JSONValue], NoticeError.Code)])
    func `each part of the payload is checked`(changes: [String: JSONValue], code: NoticeError.Code) {
        #expect(self.code(changes, FixedCipher()) == code)
    }

    @Test func `each step of the decryption is checked`() {
        #expect(code([:], nil) == .privateKeyMissing)
        #expect(code([:], FixedCipher(secret: nil)) == .secretNotDecrypted)
        #expect(code([:], FixedCipher(secret: Data(count: 31))) == .secretNotDecrypted)
        #expect(code([:], FixedCipher(content: nil)) == .contentNotDecrypted)
        #expect(code([:], FixedCipher(content: "[]")) == .contentNotJSONObject)
        #expect(code(["encrypted": false], nil) == nil)
    }
}
