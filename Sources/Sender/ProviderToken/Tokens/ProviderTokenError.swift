package import APNSModel

/// Why an `authorization` header has no readable provider token. The description is a sentence for a developer.
package enum ProviderTokenError: Error, Hashable, Sendable {
    /// One of the three parts of a token.
    package enum Part: String, Hashable, Sendable {
        case header, claims, signature

        fileprivate var verb: String { self == .claims ? "are" : "is" }
    }

    case noHeader
    case emptyHeader
    /// The header does not begin with `bearer`, in upper or lower case, and a space.
    case noBearerScheme
    /// Nothing follows `bearer`.
    case emptyToken
    /// The header value has more than `ParsedToken.maximumBytes`.
    case tooLong(bytes: Int)
    case notThreeParts(count: Int)
    case notBase64(Part)
    /// Only with `.strict`: the base64 is padded or in the alphabet with `+` and `/`.
    case notBase64URL(Part)
    case notJSONObject(Part)
    /// `nil` when `alg` is absent or not a string.
    case wrongAlgorithm(String?)
    case noKeyID
    case noTeamID
    case noIssuedAt
    /// Neither a number nor, with `.lenient`, a string of digits.
    case issuedAtNotNumber
    /// A number whose whole seconds have more than 64 bits.
    case issuedAtOutOfRange

    /// The reason that APNs answers with (docs/reference/apns.md 4.3).
    package var reason: Reason {
        switch self {
        case .noHeader, .emptyHeader, .noBearerScheme, .emptyToken: .missingProviderToken
        default: .invalidProviderToken
        }
    }
}

extension ProviderTokenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noHeader: "there is no authorization header; send authorization: bearer TOKEN"
        case .emptyHeader: "the authorization header is empty; send authorization: bearer TOKEN"
        case .noBearerScheme: "the authorization header does not begin with bearer and a space"
        case .emptyToken: "the authorization header has no provider token after bearer"
        case .tooLong(let bytes):
            "the authorization header has \(bytes) bytes; the limit is \(ParsedToken.maximumBytes)"
        case .notThreeParts(let count):
            "the provider token has \(count) part\(count == 1 ? "" : "s"); a JWT has three, separated by dots"
        case .notBase64(let part): "the \(part.rawValue) of the provider token \(part.verb) not base64url"
        case .notBase64URL(let part):
            "the \(part.rawValue) of the provider token \(part.verb) base64 but not base64url without padding, "
                + "which the strict check asks for"
        case .notJSONObject(let part): "the \(part.rawValue) of the provider token \(part.verb) not a JSON object"
        case .wrongAlgorithm(nil): "the header of the provider token has no alg; APNs accepts only ES256"
        case .wrongAlgorithm(.some(let name)):
            "the provider token is signed with alg \(ProviderTokenError.shown(name)); APNs accepts only ES256"
        case .noKeyID: "the header of the provider token has no kid; put the 10-character key id there"
        case .noTeamID: "the provider token has no iss; put the 10-character team id there"
        case .noIssuedAt: "the provider token has no iat; put the seconds since 1970-01-01 UTC there"
        case .issuedAtNotNumber: "the iat of the provider token is not a number of seconds since 1970-01-01 UTC"
        case .issuedAtOutOfRange:
            "the iat of the provider token is out of range; put the seconds since 1970-01-01 UTC there"
        }
    }

    /// At most 16 printable ASCII characters of a peer's string, so that a log line stays one short line.
    private static func shown(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(16)
        let plain = start.filter { (0x21...0x7e).contains($0.value) }
        guard !plain.isEmpty else { return "of an unprintable name" }
        return String(String.UnicodeScalarView(plain)) + (start.endIndex < text.unicodeScalars.endIndex ? "…" : "")
    }
}
