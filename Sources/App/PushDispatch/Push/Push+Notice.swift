import Foundation

extension Push {
    /// Whether the root key `encrypted` is 1 or true.
    public var isEncryptedNotice: Bool { payload["encrypted"]?.flag == true }

    /// The push with its encrypted content decrypted. A push that is not encrypted is returned unchanged.
    ///
    /// The members of the content replace those at the root, and `content` is removed. The alert's title and body
    /// become `alertTitle` and `alertBody` of the content. `encrypted` stays, so decrypting the result again throws
    /// `contentMissing`.
    ///
    /// - Parameter cipher: Nil if the device has no private key.
    /// - Throws: The first check that failed, in the order of docs/reference/selective-sync.md 4.6.
    public func decryptedNotice(with cipher: (any NoticeCipher)?) throws(NoticeError) -> Push {
        guard isEncryptedNotice else { return self }
        guard let secretText = payload["secret"]?.string else {
            throw NoticeError(.secretMissing, "secret is missing or not a string")
        }
        guard let contentText = payload["content"]?.string else {
            throw NoticeError(.contentMissing, "content is missing or not a string")
        }
        guard let aps = payload["aps"]?.object else {
            throw NoticeError(.apsMissing, "aps is missing or not a dictionary")
        }
        guard let alert = aps["alert"]?.object else {
            throw NoticeError(.alertNotDictionary, "aps.alert is missing or not a dictionary")
        }
        guard alert["title"]?.string != nil else {
            throw NoticeError(.alertTitleMissing, "aps.alert.title is missing or not a string")
        }
        guard alert["body"]?.string != nil else {
            throw NoticeError(.alertBodyMissing, "aps.alert.body is missing or not a string")
        }
        let inner = try Push.decrypt(secret: secretText, content: contentText, with: cipher)
        return Push(payload: Push.merge(inner, over: payload), issues: issues)
    }

    /// A key of 16 bytes and an initialization vector of 16.
    private static let secretBytes = 32

    private static func decrypt(
        secret secretText: String, content contentText: String, with cipher: (any NoticeCipher)?
    ) throws(NoticeError) -> [String: JSONValue] {
        guard let secret = NoticeEncoding.data(of: secretText) else {
            throw NoticeError(.secretNotBase64, "secret is not base64")
        }
        guard let cipher else {
            throw NoticeError(
                .privateKeyMissing, "the device has no private key; register it again with a new public key")
        }
        // Decrypting with the wrong padding may succeed, but the result nearly always has another length.
        let opened = [NoticePadding.oaepSHA256, .pkcs1].lazy
            .compactMap { cipher.decryptSecret(secret, padding: $0) }.first { $0.count == secretBytes }
        guard let opened else {
            throw NoticeError(
                .secretNotDecrypted, "secret does not decrypt to \(secretBytes) bytes with this device's key")
        }
        guard let content = NoticeEncoding.data(of: contentText) else {
            throw NoticeError(.contentNotBase64, "content is not base64")
        }
        let half = secretBytes / 2
        guard
            let text = cipher.decryptContent(
                content, key: Data(opened.prefix(half)), initializationVector: Data(opened.suffix(half)))
        else {
            throw NoticeError(.contentNotDecrypted, "content does not decrypt with AES-128-CBC and the key in secret")
        }
        guard let inner = (try? JSONReader.read([UInt8](text), limits: .push))?.object else {
            throw NoticeError(.contentNotJSONObject, "the decrypted content is not a JSON object")
        }
        return inner
    }

    private static func merge(
        _ inner: [String: JSONValue], over payload: [String: JSONValue]
    ) -> [String: JSONValue] {
        var members = payload.merging(inner) { _, new in new }
        members["content"] = nil
        guard var aps = members["aps"]?.object, var alert = aps["alert"]?.object else { return members }
        if let title = inner["alertTitle"], title.string != nil { alert["title"] = title }
        if let body = inner["alertBody"], body.string != nil { alert["body"] = body }
        aps["alert"] = .object(alert)
        members["aps"] = .object(aps)
        return members
    }
}
