/// A provider token whose signature is verified, remembered by the value of its header.
///
/// An immutable class: it is passed on with every request, and a struct would count four references each time.
final class VerifiedToken: Sendable {
    /// The value of the header; a secret.
    let authorization: String
    /// The same without the scheme, which senders may write as they like.
    let compact: String
    let keyID: String
    let teamID: String
    /// Seconds since 1970.
    let issuedAt: Int64
    /// The claim `sub`, which Apple's pages do not have.
    let subject: String?
    /// The index of the key in the world; nil for an unknown key, which `acceptsAnyKey` accepts.
    let keyIndex: Int?
    /// `World.keysRevision` when it was verified. If it has changed, the token has to be verified again.
    let keysRevision: Int

    init(
        authorization: String, keyID: String, teamID: String, issuedAt: Int64, subject: String?, keyIndex: Int?,
        keysRevision: Int
    ) {
        self.authorization = authorization
        compact = String(authorization.split { $0 == " " || $0 == "\t" }.last ?? "")
        self.keyID = keyID
        self.teamID = teamID
        self.issuedAt = issuedAt
        self.subject = subject
        self.keyIndex = keyIndex
        self.keysRevision = keysRevision
    }
}

/// The verified provider tokens of a world, so that each ES256 signature (50 µs) is checked once. The oldest is removed
/// first.
struct VerifiedTokens: Sendable {
    private let maximum: Int
    private var tokens: [String: VerifiedToken] = [:]
    private var order: [String] = []
    private var oldest = 0

    init(maximum: Int) { self.maximum = max(1, maximum) }

    subscript(authorization: String) -> VerifiedToken? { tokens[authorization] }

    var count: Int { tokens.count }

    mutating func remember(_ token: VerifiedToken) {
        guard tokens.updateValue(token, forKey: token.authorization) == nil else { return }
        if order.count < maximum {
            order.append(token.authorization)
        } else {
            tokens[order[oldest]] = nil
            order[oldest] = token.authorization
            oldest = (oldest + 1) % maximum
        }
    }

    mutating func removeAll() { self = VerifiedTokens(maximum: maximum) }
}
