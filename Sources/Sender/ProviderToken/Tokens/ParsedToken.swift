import APNSModel
import PayloadJSON

/// The content of a provider token (JWT), read from an `authorization` header. Reading verifies nothing; `isSigned(by:)`
/// does.
package struct ParsedToken: Hashable, Sendable {
    /// Which forms are accepted (docs/reference/apns.md 4.1).
    package enum Strictness: Hashable, Sendable {
        /// What APNs is known to accept: either base64 alphabet, padding, `iat` as a string, a signature in DER.
        case lenient
        /// What the standard demands: base64url without padding, `iat` as a number, a raw signature.
        case strict
    }

    /// `kid` as written, in any form; never empty.
    package let keyID: String
    /// `iss` as written, in any form; never empty.
    package let teamID: String
    /// `iat`, in whole seconds since 1970-01-01 UTC, without its fraction; any number, also in the future.
    package let issuedAt: Int64
    /// `sub`; nil when it is absent or not a string. One unverified source says that topic-specific keys need it.
    package let subject: String?

    private let signedText: [UInt8]
    private let signature: [UInt8]
    private let strictness: Strictness

    /// The largest header value that is read, in bytes. A usual one has about 240.
    package static let maximumBytes = 4096

    /// - Parameter authorization: The value of the header, nil when the request has none.
    package init(authorization: [UInt8]?, strictness: Strictness = .lenient) throws(ProviderTokenError) {
        guard let authorization else { throw .noHeader }
        guard authorization.count <= ParsedToken.maximumBytes else { throw .tooLong(bytes: authorization.count) }
        let value = authorization.drop(while: \.isBlank)
        guard !value.isEmpty else { throw .emptyHeader }
        let scheme = value.prefix { !$0.isBlank }
        guard String(decoding: scheme, as: UTF8.self).lowercased() == "bearer" else { throw .noBearerScheme }
        var text = value.dropFirst(scheme.count).drop(while: \.isBlank)
        while text.last?.isBlank == true { text.removeLast() }
        guard !text.isEmpty else { throw .emptyToken }
        try self.init(compact: text, strictness: strictness)
    }

    package init(authorization: String, strictness: Strictness = .lenient) throws(ProviderTokenError) {
        try self.init(authorization: Array(authorization.utf8), strictness: strictness)
    }

    /// The token alone, without `bearer`.
    package init(compact text: some Collection<UInt8>, strictness: Strictness = .lenient) throws(ProviderTokenError) {
        guard text.count <= ParsedToken.maximumBytes else { throw .tooLong(bytes: text.count) }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .notThreeParts(count: parts.count) }
        let header = try ParsedToken.object(parts[0], .header, strictness)
        let claims = try ParsedToken.object(parts[1], .claims, strictness)

        let algorithm = header.string("alg")
        guard algorithm == "ES256" else { throw .wrongAlgorithm(algorithm) }
        guard let keyID = header.string("kid"), !keyID.isEmpty else { throw .noKeyID }
        guard let teamID = claims.string("iss"), !teamID.isEmpty else { throw .noTeamID }
        guard let issuedAt = claims.member("iat", of: .root) else { throw .noIssuedAt }
        self.keyID = keyID
        self.teamID = teamID
        do throws(NumericDate.Fault) {
            self.issuedAt = try NumericDate.seconds(of: issuedAt, in: claims, acceptsStrings: strictness == .lenient)
        } catch {
            throw error == .outOfRange ? .issuedAtOutOfRange : .issuedAtNotNumber
        }
        subject = claims.string("sub")
        signature = try ParsedToken.decode(parts[2], .signature, strictness)
        signedText = Array(text.prefix(parts[0].count + 1 + parts[1].count))
        self.strictness = strictness
    }

    /// The bytes of a signature in the form of the standard.
    package static let signatureByteCount = 64

    package var signatureByteCount: Int { signature.count }

    /// Whether `key` made the signature. A signature that is not 64 raw bytes is read as DER, unless strict.
    package func isSigned(by key: VerifyingKey) -> Bool {
        if key.isValid(rawSignature: signature, for: signedText) { return true }
        return strictness == .lenient && key.isValid(derSignature: signature, for: signedText)
    }

    /// How deep a header or claims may be nested.
    static let maximumDepth = 16

    private static func object(
        _ text: some Collection<UInt8>, _ part: ProviderTokenError.Part, _ strictness: Strictness
    ) throws(ProviderTokenError) -> JSONDocument {
        let bytes = try decode(text, part, strictness)
        guard let document = try? JSONDocument(bytes, maximumDepth: maximumDepth), document.isObject(.root) else {
            throw .notJSONObject(part)
        }
        return document
    }

    private static func decode(
        _ text: some Collection<UInt8>, _ part: ProviderTokenError.Part, _ strictness: Strictness
    ) throws(ProviderTokenError) -> [UInt8] {
        guard let bytes = try? Base64.decode(text, as: .lenient) else { throw .notBase64(part) }
        guard strictness == .strict else { return bytes }
        guard let strict = try? Base64.decode(text, as: .strictURL) else { throw .notBase64URL(part) }
        return strict
    }
}

extension JSONDocument {
    /// The string at `key` of the root object; nil when it is absent or not a string. The last of several members with
    /// the same key counts (RFC 7515 4).
    fileprivate func string(_ key: StaticString) -> String? { member(key, of: .root).flatMap { string(of: $0) } }
}

extension ParsedToken: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without the signature, so that a log line cannot be used to send.
    package var description: String { "provider token of key \(keyID), team \(teamID), issued at \(issuedAt)" }

    package var debugDescription: String { description }
}
