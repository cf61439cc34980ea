import APNSModel
import ProviderToken

/// Whose request it is, and whether this connection may carry it: steps 0 and 4 to 7 of docs/reference/apns.md 3.5. A
/// certificate replaces the provider token; an `authorization` header beside it is ignored (docs/reference/apns.md
/// 2.2).
enum CredentialChecks {
    static func availability(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        switch world.settings.availability {
        case .serving: if case .idleTimedOut = connection.refusal { idleTimedOut } else { nil }
        case .failing: Objection(.internalServerError, "the gateway is set to fail; send again later")
        case .overloaded: Objection(.serviceUnavailable, "the gateway is set to be overloaded; send again later")
        case .stopping: Objection(.shutdown, "the gateway is stopping; send again on a new connection")
        }
    }

    private static let idleTimedOut = Objection(
        .idleTimeout, "this connection was idle for longer than the idle timeout; open another one")

    static func certificate(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        if case .certificateFault(let fault) = connection.refusal {
            request.isProven = connection.role == .control
            return fault
        }
        request.isProven = connection.role == .control || connection.certificate != nil
        return nil
    }

    static func present(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard connection.certificate == nil, connection.role != .control else { return nil }
        guard let authorization = request.head.authorization else {
            return Objection(
                .missingProviderToken,
                "there is neither a client certificate nor an authorization header; send authorization: bearer TOKEN")
        }
        if let last = connection.lastToken, last.keysRevision == world.keysRevision,
            last.authorization == authorization
        {
            request.token = last
            request.isTokenOfLastRequest = true
            return nil
        }
        if let known = world.verifiedTokens[authorization] {
            request.token = known
            return nil
        }
        do throws(ProviderTokenError) {
            let strict = world.settings.contested.requiresStrictProviderTokens
            request.readToken = try ParsedToken(authorization: authorization, strictness: strict ? .strict : .lenient)
        } catch {
            request.tokenFault = error
        }
        guard let fault = request.tokenFault, fault.reason == .missingProviderToken else { return nil }
        return Objection(fault.reason, fault.description)
    }

    static func form(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        request.tokenFault.map { Objection($0.reason, $0.description) }
    }

    static func key(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let token = request.readToken else { return nil }
        guard let key = world.key(token.keyID) else {
            if world.settings.acceptsAnyKey { return nil }
            return Objection(
                .invalidProviderToken,
                "the provider token names the key \(PeerText.quoted(token.keyID)), which this gateway does not know; "
                    + "register it, or let the gateway take any key with the setting any-key: true")
        }
        guard !key.isRevoked else {
            return Objection(
                world.settings.contested.revokedKey.reason,
                "the key \(PeerText.quoted(key.keyID)) was revoked; sign with another key")
        }
        return nil
    }

    static func signature(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let read = request.readToken, let authorization = request.head.authorization else { return nil }
        let index = world.keyIndex(read.keyID)
        if let index, !read.isSigned(by: world.keys[index].verifyingKey) {
            return Objection(
                .invalidProviderToken,
                "the signature of the provider token was not made with the key \(PeerText.quoted(read.keyID)); "
                    + "check that key file and key id belong together")
        }
        let token = VerifiedToken(
            authorization: authorization, keyID: read.keyID, teamID: read.teamID, issuedAt: read.issuedAt,
            subject: read.subject, keyIndex: index, keysRevision: world.keysRevision)
        world.verifiedTokens.remember(token)
        request.token = token
        return nil
    }

    static func team(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard !request.isTokenOfLastRequest, let token = request.token, let key = world.key(of: token) else {
            return nil
        }
        if key.teamID == token.teamID {
            guard world.settings.contested.checksSubject, case .topics(let topics) = key.kind,
                let subject = token.subject, !topics.contains(subject)
            else { return nil }
            return Objection(
                .invalidProviderToken,
                "the sub claim of the provider token is \(PeerText.quoted(subject)), which is not a topic of the key "
                    + "\(PeerText.quoted(key.keyID)); leave it out")
        }
        return Objection(
            .invalidProviderToken,
            "the provider token names the team \(PeerText.quoted(token.teamID)), but the key \(PeerText.quoted(key.keyID)) belongs to "
                + "\(PeerText.quoted(key.teamID)); put that team id into iss")
    }

    static func connectionTeam(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard !request.isTokenOfLastRequest, let token = request.token, let binding = connection.binding,
            binding.teamID != token.teamID
        else {
            return nil
        }
        return Objection(
            world.settings.contested.secondTeam.reason,
            "this connection belongs to the team \(PeerText.quoted(binding.teamID)) since its first notification; "
                + "open another one for \(PeerText.quoted(token.teamID))")
    }

    static func keyEnvironment(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard !request.isTokenOfLastRequest, let token = request.token, let key = world.key(of: token),
            !key.environments.contains(connection.environment)
        else { return nil }
        let documented = Reason("BadEnvironmentKeyIdInToken", 403)
        let own = key.environments.map(\.rawValue).sorted().joined(separator: " and ")
        return Objection(
            world.settings.contested.usesDocumentedEnvironmentReason ? documented : .badEnvironmentKeyInToken,
            "the key \(PeerText.quoted(key.keyID)) is for \(own); this is \(connection.environment.rawValue)")
    }

    static func connectionKey(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard !request.isTokenOfLastRequest, let token = request.token, let binding = connection.binding,
            binding.keyID != token.keyID
        else {
            return nil
        }
        let key = world.key(of: token)
        if let first = binding.key, case .topics = first.kind {
            let isTheOne = binding.relatedKeyID == nil || binding.relatedKeyID == token.keyID
            if isTheOne, let key, key.isRelated(to: first) { return nil }
        } else {
            guard let key, case .topics = key.kind else { return nil }
        }
        return Objection(
            .unrelatedKeyIDInToken,
            "this connection was first used with the key \(PeerText.quoted(binding.keyID)), to which "
                + "\(PeerText.quoted(token.keyID)) is not related; open another connection for it")
    }

    /// A provider token may be up to an hour old, to the second, and up to an hour ahead (docs/reference/apns.md 4.1,
    /// 4.2).
    static func age(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let token = request.token else { return nil }
        if case .expiredProviderToken = connection.refusal {
            return Objection(
                .expiredProviderToken, "this connection has carried an expired provider token; open another one")
        }
        let (difference, overflow) = (request.now / 1000).subtractingReportingOverflow(token.issuedAt)
        let age = overflow ? (token.issuedAt < 0 ? Int64.max : Int64.min) : difference
        if age > maximumAge {
            if world.settings.contested.expiredProviderTokenSpoilsConnection {
                connection.refuse(because: .expiredProviderToken)
            }
            return Objection(
                .expiredProviderToken,
                "the provider token was signed \(Period.text(age)) ago; APNs accepts 60 minutes, so sign a new one")
        }
        if age < -maximumAge {
            return Objection(
                world.settings.contested.futureProviderToken.reason,
                "the provider token was signed \(Period.text(age == .min ? .max : -age)) ahead of the gateway's clock; "
                    + "the limit is 60 minutes, so check the clocks")
        }
        return nil
    }

    /// Seconds.
    private static let maximumAge: Int64 = 3600

    /// The last check of the credentials: a provider token that passes binds the connection to its team and key.
    static func updates(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let token = request.token else { return nil }
        let scope = world.settings.contested.updateScope
        if request.isTokenOfLastRequest, scope == .connection {
            request.isProven = true
            return nil
        }
        let use = scope == .key ? world.tokenUses[token.keyID] : connection.tokenUses.use(of: token.keyID)
        if let used = use?.tooEarly(token, at: request.now) {
            return Objection(
                .tooManyProviderTokenUpdates,
                "the provider token before this one was used for only \(Period.text(used)); "
                    + "keep each for at least 20 minutes")
        }
        let key = world.key(of: token)
        if scope == .key, key != nil {
            let now = request.now
            world.tokenUses[token.keyID, default: TokenUse(token, at: now)].use(token, at: now)
        }
        connection.accept(token, key: key, appsRevision: world.appsRevision, at: request.now)
        request.isProven = true
        return nil
    }
}
