import Foundation

extension Push {
    /// Whether the root key `encrypted` is on.
    public var isEncryptedNotice: Bool { payload["encrypted"]?.flag == true }

    /// The push with what the CRM encrypted in it for this device; one that is not encrypted comes back as it is.
    ///
    /// The members of the content stand at the root, where they replace others, `content` is gone, and the alert's title
    /// and body are `alertTitle` and `alertBody` of the content. `encrypted` stays, so it is opened once: what has been
    /// opened has no `content`, and says so.
    ///
    /// - Parameter cipher: Nil where the device has no private key.
    /// - Throws: The first of the checks that failed, in the order of docs/reference/selective-sync.md 4.6.
    public func decryptedNotice(with cipher: (any NoticeCipher)?) throws(NoticeError) -> Push {
        guard isEncryptedNotice else { return self }
        guard let secretText = payload["secret"]?.string else {
            throw NoticeError(.secretMissing, "secret is missing or no string")
        }
        guard let contentText = payload["content"]?.string else {
            throw NoticeError(.contentMissing, "content is missing or no string")
        }
        guard let aps = payload["aps"]?.object else {
            throw NoticeError(.apsMissing, "aps is missing or no dictionary")
        }
        guard let alert = aps["alert"]?.object else {
            throw NoticeError(.alertNotDictionary, "aps.alert is missing or no dictionary")
        }
        guard alert["title"]?.string != nil else {
            throw NoticeError(.alertTitleMissing, "aps.alert.title is missing or no string")
        }
        guard alert["body"]?.string != nil else {
            throw NoticeError(.alertBodyMissing, "aps.alert.body is missing or no string")
        }
        let inner = try Push.decrypt(secret: secretText, content: contentText, with: cipher)
        return Push(payload: Push.merge(inner, over: payload), issues: issues)
    }

    /// 16 bytes of key, 16 of initialization vector.
    private static let secretBytes = 32

    private static func decrypt(
        secret secretText: String, content contentText: String, with cipher: (any NoticeCipher)?
    ) throws(NoticeError) -> [String: JSONValue] {
        guard let secret = NoticeEncoding.data(of: secretText) else {
            throw NoticeError(.secretNotBase64, "secret is not base64")
        }
        guard let cipher else {
            throw NoticeError(
                .privateKeyMissing, "the device has no private key; register it with its public key again")
        }
        // What is padded in another way can come out as something, nearly always of another length.
        let opened = [NoticePadding.oaepSHA256, .pkcs1].lazy
            .compactMap { cipher.decryptSecret(secret, padding: $0) }.first { $0.count == secretBytes }
        guard let opened else {
            throw NoticeError(
                .secretNotDecrypted, "secret is not \(secretBytes) bytes encrypted for this device's key")
        }
        guard let content = NoticeEncoding.data(of: contentText) else {
            throw NoticeError(.contentNotBase64, "content is not base64")
        }
        let half = secretBytes / 2
        guard
            let text = cipher.decryptContent(
                content, key: Data(opened.prefix(half)), initializationVector: Data(opened.suffix(half)))
        else { throw NoticeError(.contentNotDecrypted, "content is not AES-128-CBC of the secret's key") }
        guard let inner = (try? JSONReader.read([UInt8](text), limits: .push))?.object else {
            throw NoticeError(.contentNotJSONObject, "what content holds is not a JSON object")
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
