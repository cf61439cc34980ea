/// Which provider token of one key is in use, and since when, to check "no more often than every 20 minutes".
struct TokenUse: Sendable {
    let keyID: String
    private(set) var compact: String
    private(set) var issuedAt: Int64
    /// When it was first used. Milliseconds since 1970.
    private(set) var since: Int64

    /// Seconds.
    static let minimumUse: Int64 = 20 * 60

    init(_ token: VerifiedToken, at now: Int64) {
        keyID = token.keyID
        compact = token.compact
        issuedAt = token.issuedAt
        since = now
    }

    /// How many seconds the current token was in use, if `token` replaces it too early; nil if it may replace it.
    ///
    /// A token may be replaced when it has been in use for 20 minutes, and also when the new one was signed 20 minutes
    /// after it, so that a connection opened late in a token's life accepts the next one in time.
    func tooEarly(_ token: VerifiedToken, at now: Int64) -> Int64? {
        guard token.compact != compact else { return nil }
        let used = (now - since) / 1000
        let (apart, overflow) = token.issuedAt.subtractingReportingOverflow(issuedAt)
        return used >= TokenUse.minimumUse || !overflow && apart >= TokenUse.minimumUse ? nil : max(0, used)
    }

    mutating func use(_ token: VerifiedToken, at now: Int64) {
        guard token.compact != compact else { return }
        self = TokenUse(token, at: now)
    }
}

extension [TokenUse] {
    /// A connection sees four keys at most where all is right; more come only with `acceptsAnyKey`.
    static let maximum = 8

    func use(of keyID: String) -> TokenUse? { first { $0.keyID == keyID } }

    mutating func use(_ token: VerifiedToken, at now: Int64) {
        if let known = firstIndex(where: { $0.keyID == token.keyID }) {
            self[known].use(token, at: now)
        } else {
            if count == Self.maximum { removeFirst() }
            append(TokenUse(token, at: now))
        }
    }
}
