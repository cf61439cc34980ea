package import PushDispatch
package import SelectiveSync

/// Log-ins: refresh tokens and the access tokens made from them (docs/reference/selective-sync.md 6.7).
package struct OrgAccess: Hashable, Sendable {
    package struct Session: Hashable, Sendable {
        package let user: RecordID
        /// The id of the log-in that it came from, which is not a secret; nil for a session without a log-in.
        package let grant: String?
        /// Nil for a session that does not expire.
        package var expires: ServerDate?
    }

    package struct Grant: Hashable, Sendable {
        fileprivate let number: UInt64
        package let user: RecordID
        package let clientID: String
        package var isRevoked = false

        /// An id that is not a secret.
        package var id: String { "grant-\(number)" }
    }

    /// The tokens that a log-in or a refresh returns.
    package struct Tokens: Hashable, Sendable {
        package let accessToken: String
        /// Nil if the old refresh token stays valid.
        package let refreshToken: String?
        package let user: RecordID
    }

    static let maximumSessions = 10_000

    private var sessions: [String: Session] = [:]
    private var grants: [String: Grant] = [:]
    /// Expired access tokens that were not made here.
    private var expired: Set<String> = []
    /// The number of the next token, passed to `MakeToken`.
    private var serial: UInt64 = 0

    package init() {}

    /// Makes a token from a number. A simulation makes the same token from the same number in every run.
    package typealias MakeToken = @Sendable (_ serial: UInt64) -> String

    private mutating func token(_ make: MakeToken) -> String {
        serial += 1
        return make(serial)
    }

    /// Adds a session and an optional refresh token with given values, such as those of a document.
    package mutating func add(
        accessToken: String?, refreshToken: String?, for user: RecordID, clientID: String, expires: ServerDate? = nil
    ) {
        serial += 1
        let grant = Grant(number: serial, user: user, clientID: clientID)
        if let accessToken { sessions[accessToken] = Session(user: user, grant: grant.id, expires: expires) }
        if let refreshToken { grants[refreshToken] = grant }
    }

    package mutating func logIn(
        _ user: RecordID, clientID: String, lifetime: Int64, at now: ServerDate, _ make: MakeToken
    ) -> Tokens {
        serial += 1
        let grant = Grant(number: serial, user: user, clientID: clientID)
        evictSessions(at: now)
        let refreshToken = token(make)
        grants[refreshToken] = grant
        let accessToken = begin(grant, lifetime, now, make)
        return Tokens(accessToken: accessToken, refreshToken: refreshToken, user: user)
    }

    /// - Returns: Nil if the refresh token is unknown, revoked, or issued to another client.
    package mutating func refresh(
        _ refreshToken: String, clientID: String, rotates: Bool, lifetime: Int64, at now: ServerDate, _ make: MakeToken
    ) -> Tokens? {
        guard let grant = grants[refreshToken], !grant.isRevoked, grant.clientID == clientID else { return nil }
        evictSessions(at: now)
        var replacement: String?
        if rotates {
            grants[refreshToken] = nil
            let token = token(make)
            grants[token] = grant
            replacement = token
        }
        return Tokens(
            accessToken: begin(grant, lifetime, now, make), refreshToken: replacement, user: grant.user)
    }

    private mutating func begin(
        _ grant: Grant, _ lifetime: Int64, _ now: ServerDate, _ make: MakeToken
    ) -> String {
        let accessToken = token(make)
        sessions[accessToken] = Session(
            user: grant.user, grant: grant.id, expires: now.adding(milliseconds: lifetime))
        return accessToken
    }

    /// Removes expired sessions first, then those that expire next. Sessions that do not expire stay.
    private mutating func evictSessions(at now: ServerDate) {
        if sessions.count >= OrgAccess.maximumSessions {
            sessions = sessions.filter { $0.value.expires.map { $0 > now } ?? true }
        }
        if sessions.count >= OrgAccess.maximumSessions {
            let ending = sessions.compactMap { token, session in session.expires.map { ($0, token) } }
            for (_, token) in ending.sorted(by: { $0 < $1 }).prefix(OrgAccess.maximumSessions / 10) {
                sessions[token] = nil
            }
        }
        if grants.count >= OrgAccess.maximumSessions {
            grants = grants.filter { !$0.value.isRevoked }
            // The users of the oldest log-ins have to log in again.
            for (token, _) in grants.sorted(by: { $0.value.number < $1.value.number }).prefix(grants.count / 10) {
                grants[token] = nil
            }
        }
    }

    /// The session of an access token; nil once it has expired.
    package func session(_ accessToken: String, at now: ServerDate) -> Session? {
        guard let session = sessions[accessToken], session.expires.map({ $0 > now }) ?? true else { return nil }
        return session
    }

    func isExpired(_ accessToken: String) -> Bool { expired.contains(accessToken) }

    /// Expires an access token; its refresh token stays valid.
    package mutating func expire(_ accessToken: String) {
        if sessions.removeValue(forKey: accessToken) == nil, expired.count < OrgAccess.maximumSessions {
            expired.insert(accessToken)
        }
    }

    /// Expires all access tokens of a user, or of all users.
    package mutating func expireAll(of user: RecordID? = nil) {
        sessions = sessions.filter { user != nil && $0.value.user != user }
    }

    /// Revokes a log-in, named by its refresh token or one of its access tokens, with all its tokens.
    package mutating func revoke(_ token: String) {
        guard let id = grants[token]?.id ?? sessions[token]?.grant else { return }
        revoke { $0.id == id }
    }

    /// Revokes all log-ins of a user, or of all users.
    package mutating func revokeAll(of user: RecordID? = nil) { revoke { user == nil || $0.user == user } }

    private mutating func revoke(where isIncluded: (Grant) -> Bool) {
        let included = grants.filter { isIncluded($0.value) }
        for token in included.keys { grants[token]?.isRevoked = true }
        let ids = Set(included.values.map(\.id))
        sessions = sessions.filter { $0.value.grant.map { !ids.contains($0) } ?? true }
    }

    /// The log-in of a refresh token; nil if the token is not valid.
    package func grant(_ refreshToken: String) -> Grant? { grants[refreshToken] }
}

extension OrgAccess: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Only counts, because a log must not contain a token.
    package var description: String { "\(sessions.count) sessions, \(grants.count) log-ins" }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension OrgAccess.Tokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "tokens of \(user)" }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
