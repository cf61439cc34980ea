/// A provider token (JWT) as its text says, read from an `authorization` header. Reading proves nothing: whether it may
/// be believed is what `isSigned(by:)` says.
package struct ParsedToken: Hashable, Sendable {
    /// Which forms are taken (docs/reference/apns.md 4.1).
    package enum Strictness: Hashable, Sendable {
        /// What APNs is known to take: either base64 alphabet, padding, `iat` as a text, a signature in DER.
        case lenient
        /// What the standard asks for: base64url without padding, `iat` as a number, a raw signature.
        case strict
    }

    /// `kid` as it stands there, whatever its form; never empty.
    package let keyID: String
    /// `iss` as it stands there, whatever its form; never empty.
    package let teamID: String
    /// `iat`, in seconds since 1970-01-01 UTC; any number, also in the future.
    package let issuedAt: Int64
    /// `sub`, of which one unverified source speaks for topic-specific keys; nil where it is absent or no text.
    package let subject: String?

    private let signedText: [UInt8]
    private let signature: [UInt8]
    private let strictness: Strictness

    /// The largest header value that is read, in bytes; a usual one has about 240.
    package static let maximumBytes = 4096

    /// - Parameter authorization: The value of the header, nil when the request has none.
    package init(authorization: [UInt8]?, strictness: Strictness = .lenient) throws(ProviderTokenError) {
        guard let authorization else { throw .noHeader }
        guard authorization.count <= ParsedToken.maximumBytes else { throw .tooLong(bytes: authorization.count) }
        let value = authorization.drop(while: \.isBlank)
        guard !value.isEmpty else { throw .emptyHeader }
        let word = value.prefix { !$0.isBlank }
        guard String(decoding: word, as: UTF8.self).lowercased() == "bearer" else { throw .noBearerWord }
        var text = value.dropFirst(word.count).drop(while: \.isBlank)
        while text.last?.isBlank == true { text.removeLast() }
        guard !text.isEmpty else { throw .emptyToken }
        try self.init(compact: text, strictness: strictness)
    }

    package init(authorization: String, strictness: Strictness = .lenient) throws(ProviderTokenError) {
        try self.init(authorization: Array(authorization.utf8), strictness: strictness)
    }

    /// The token alone, without the word in front.
    package init(compact text: some Collection<UInt8>, strictness: Strictness = .lenient) throws(ProviderTokenError) {
        guard text.count <= ParsedToken.maximumBytes else { throw .tooLong(bytes: text.count) }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .notThreeParts(count: parts.count) }
        let header = try ParsedToken.object(parts[0], .header, strictness)
        let claims = try ParsedToken.object(parts[1], .claims, strictness)

        guard case .text("ES256") = header["alg"] else {
            if case .text(let name) = header["alg"] { throw .wrongAlgorithm(name) }
            throw .wrongAlgorithm(nil)
        }
        guard case .text(let keyID) = header["kid"], !keyID.isEmpty else { throw .noKeyID }
        guard case .text(let teamID) = claims["iss"], !teamID.isEmpty else { throw .noTeamID }
        guard let issuedAt = claims["iat"] else { throw .noIssuedAt }
        self.keyID = keyID
        self.teamID = teamID
        self.issuedAt = try ParsedToken.wholeSeconds(issuedAt, strictness)
        if case .text(let subject) = claims["sub"] { self.subject = subject } else { subject = nil }
        signature = try ParsedToken.decode(parts[2], .signature, strictness)
        signedText = Array(text.prefix(parts[0].count + 1 + parts[1].count))
        self.strictness = strictness
    }

    /// Whether `key` made the signature: raw when it has 64 bytes, or else, unless strict, DER.
    package func isSigned(by key: VerifyingKey) -> Bool {
        if key.isValid(rawSignature: signature, for: signedText) { return true }
        return strictness == .lenient && key.isValid(derSignature: signature, for: signedText)
    }

    private static func object(
        _ text: some Collection<UInt8>, _ part: ProviderTokenError.Part, _ strictness: Strictness
    ) throws(ProviderTokenError) -> [String: FlatObject.Value] {
        guard let object = FlatObject(try decode(text, part, strictness)) else { throw .notJSONObject(part) }
        return object.members
    }

    private static func decode(
        _ text: some Collection<UInt8>, _ part: ProviderTokenError.Part, _ strictness: Strictness
    ) throws(ProviderTokenError) -> [UInt8] {
        guard let bytes = try? Base64.decode(text, as: .lenient) else { throw .notBase64(part) }
        guard strictness == .strict else { return bytes }
        guard let strict = try? Base64.decode(text, as: .strictURL) else { throw .notBase64URL(part) }
        return strict
    }

    private static func wholeSeconds(
        _ value: FlatObject.Value, _ strictness: Strictness
    ) throws(ProviderTokenError) -> Int64 {
        switch value {
        case .number(let digits):
            guard let seconds = Int64(digits) else { throw .issuedAtNotWhole }
            return seconds
        case .text(let digits) where strictness == .lenient:
            guard let seconds = Int64(digits) else { throw .issuedAtNotWhole }
            return seconds
        case .text, .other: throw .issuedAtNotWhole
        }
    }
}

extension ParsedToken: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without the signature, so that a log line cannot be used to send.
    package var description: String { "provider token of key \(keyID), team \(teamID), issued at \(issuedAt)" }

    package var debugDescription: String { description }
}
