package import APNSModel

/// What the gateway remembers of one connection: who is at its other end, what that binds it to, how many streams it has.
///
/// Source: docs/reference/apns.md 1.3, 1.5 and 4.4.
package struct GatewayConnection: Sendable {
    package let environment: APNSEnvironment
    package let role: Role
    /// The host that TLS asked for, where it is below `localhost` and names no world: nothing over it is judged.
    package var misspeltHost: String?
    package private(set) var certificate: ClientCertificate?
    /// What the certificate may push to.
    private(set) var certificateTopics: [String] = []
    /// What is wrong with the certificate, which a check then says for every request.
    private(set) var certificateFault: Objection?
    /// The SETTINGS_MAX_CONCURRENT_STREAMS that was announced last.
    package private(set) var streamLimit: UInt32 = 1
    /// What a fault rule set `streamLimit` to, where it then stays.
    private var fixedStreamLimit: UInt32?
    /// The highest stream with a request that was judged.
    private var lastJudged: Int32 = 0
    /// The highest stream that is still taken.
    package private(set) var lastTaken = Int32.max
    /// The last stream of the last GOAWAY that a fault rule had said; nil for none.
    private var lastSaid: Int32?
    /// What the first provider token bound it to.
    var binding: Binding?
    var tokenUses: [TokenUse] = []
    /// The provider token of the last good request, which is most often the one of the next.
    var lastToken: VerifiedToken?
    var lastTopic: ParsedTopic?
    /// `World.revision` at which `lastToken` was allowed to push to `lastTopic`; nil when that is not known.
    var allowedRevision: Int?
    /// Whether an expired provider token has made it useless (section 11, row 26).
    var isSpoiled = false
    /// Whether it was silent for too long and is to say so for each request (section 11, row 25).
    private(set) var isIdledOut = false

    struct Binding: Sendable {
        let teamID: String
        let keyID: String
        /// Nil for a key that the world does not know.
        let key: ProviderKey?
        /// The one related key that may take turns with a topic-specific one.
        var relatedKeyID: String?
        /// The apps known then.
        let appsRevision: Int
    }

    /// What a listener is for.
    package enum Role: Hashable, Sendable {
        /// Sends to devices and channels, and the management of channels beside them.
        case send
        /// The management of channels alone, as on Apple's hosts for it.
        case manage
        /// No connection of a provider, but the control API, which needs no credentials to send.
        case control
    }

    package init(environment: APNSEnvironment, role: Role = .send) {
        self.environment = environment
        self.role = role
    }

    /// What to do first.
    package enum Opening: Hashable, Sendable {
        /// The SETTINGS to begin with.
        case settings(ConnectionSettings)
        /// Say so and close; no request is to be judged.
        case goAway(GoAway)
    }

    /// The handshake is done, with or without a client certificate.
    ///
    /// - Parameter now: The world's time, milliseconds since 1970.
    package mutating func opened(
        certificate: ClientCertificate?, settings: WorldSettings, at now: Int64
    ) -> Opening {
        self.certificate = certificate
        if let certificate {
            certificateTopics = certificate.topics
            certificateFault = certificate.fault(for: environment, at: now)
            if let fault = certificateFault, settings.contested.certificateFault == .goAway {
                return .goAway(GoAway(fault.reason, fault.why))
            }
            streamLimit = settings.maximumConcurrentStreams
        }
        return .settings(ConnectionSettings(maximumConcurrentStreams: streamLimit))
    }

    /// Whether to close it because nothing came for too long; `IdleTimeout` then goes into the GOAWAY frame, or into the
    /// answers to what still comes.
    ///
    /// - Parameter silence: How long nothing came, in milliseconds.
    package mutating func idle(for silence: Int64, settings: WorldSettings) -> GoAway? {
        guard let limit = settings.idleTimeout, silence >= limit else { return nil }
        guard settings.contested.idleTimeout == .goAway else {
            isIdledOut = true
            return nil
        }
        return GoAway(
            .idleTimeout, "nothing came for \(Period.text(silence / 1000)); the limit is \(Period.text(limit / 1000))")
    }

    /// A provider token passed every check of its own.
    mutating func accept(_ token: VerifiedToken, key: ProviderKey?, appsRevision: Int, at now: Int64) {
        if binding == nil {
            binding = Binding(teamID: token.teamID, keyID: token.keyID, key: key, appsRevision: appsRevision)
        } else if binding?.keyID != token.keyID, case .topics = binding?.key?.kind {
            binding?.relatedKeyID = token.keyID
        }
        tokenUses.use(token, at: now)
        lastToken = token
        allowedRevision = nil
    }

    /// The new number of streams after a request, when it changes.
    ///
    /// - Parameter isProven: Whether the request came with a good provider token or over a certificate.
    mutating func streamLimit(isProven: Bool, isAccepted: Bool, _ settings: WorldSettings) -> UInt32? {
        var limit = streamLimit
        if isProven { limit = settings.maximumConcurrentStreams }
        if settings.contested.dropsStreamsAfterRefusal, !isAccepted { limit = 1 }
        if let fixedStreamLimit { limit = fixedStreamLimit }
        guard limit != streamLimit else { return nil }
        streamLimit = limit
        return limit
    }
}

/// What fault rules do to a connection.
extension GatewayConnection {
    /// Whether a request on this stream is still to be judged.
    package func takes(_ stream: Int32) -> Bool { stream <= lastTaken }

    mutating func judges(_ stream: Int32) { lastJudged = max(lastJudged, stream) }

    mutating func fixStreamLimit(_ limit: UInt32) { fixedStreamLimit = limit }

    /// The number of streams that a refusal comes with. It stays until a request with good credentials raises it.
    ///
    /// - Returns: Nil where it is that number already.
    mutating func dropStreams(to limit: UInt32) -> UInt32? {
        fixedStreamLimit = nil
        guard limit != streamLimit else { return nil }
        streamLimit = limit
        return limit
    }

    /// Nothing more is taken.
    mutating func cut() { lastTaken = 0 }

    /// The GOAWAY frames of a fault rule that hit `stream`.
    ///
    /// They are truthful: no last stream is below a request that was judged, and none is above the one said before.
    mutating func goAway(_ fault: GoAwayFault, at stream: Int32) -> GoAwayOrder {
        let last =
            switch fault.lastStream {
            case .this: max(stream, lastJudged)
            case .previous: max(stream - 2, lastJudged, 0)
            case .all: Int32.max
            }
        lastTaken = min(lastTaken, last)
        var frames: [Int32] = []
        for frame in fault.isTwice ? [.max, last] : [last] where lastSaid.map({ frame < $0 }) ?? true {
            frames.append(frame)
            lastSaid = frame
        }
        return GoAwayOrder(
            reason: fault.reason, code: fault.code, lastStreams: frames, closing: fault.closing)
    }
}

/// The values of the first SETTINGS frame (docs/reference/apns.md 1.3).
package struct ConnectionSettings: Hashable, Sendable {
    package let headerTableSize: UInt32 = 4096
    package let maximumConcurrentStreams: UInt32
    package let initialWindowSize = usualWindow
    package let maximumFrameSize: UInt32 = 16_384
    package let maximumHeaderListSize = UInt32(RequestHead.maximumListBytes)

    /// What the body of one request may take before it waits, where no fault rule says otherwise.
    package static let usualWindow: UInt32 = 65_535
}
