package import APNSModel

/// What requests of one connection are judged by: its certificate, the team and key that it is bound to, its stream limit.
///
/// Source: docs/reference/apns.md 1.3, 1.5 and 4.4.
package struct GatewayConnection: Sendable {
    package let environment: APNSEnvironment
    package let role: Role
    /// The host name of TLS where it ends with `.localhost` and names no world: requests that name a host are misdirected.
    package var invalidHost: String?
    /// Why it refuses every request; nil where it does not.
    private(set) var refusal: Refusal?
    package private(set) var certificate: ClientCertificate?
    /// The topics of the certificate.
    private(set) var certificateTopics: [String] = []
    /// The SETTINGS_MAX_CONCURRENT_STREAMS that was announced last.
    package private(set) var streamLimit: UInt32 = 1
    /// The `streamLimit` that a fault rule has fixed.
    private var fixedStreamLimit: UInt32?
    /// The highest stream with a request that was judged.
    private var lastJudged: Int32 = 0
    /// The highest stream whose requests are still judged.
    package private(set) var lastAcceptedStream = Int32.max
    /// The last stream of the last GOAWAY of a fault rule; nil for none.
    private var lastAnnouncedStream: Int32?
    /// The team and key of the first provider token.
    var binding: Binding?
    var tokenUses: [TokenUse] = []
    /// The provider token of the last good request; most often the next one has the same.
    var lastToken: VerifiedToken?
    var lastTopic: ParsedTopic?
    /// `World.revision` at which `lastToken` was allowed to push to `lastTopic`; nil when that is not known.
    var allowedRevision: Int?

    struct Binding: Sendable {
        let teamID: String
        let keyID: String
        /// Nil for a key that is not registered.
        let key: ProviderKey?
        /// The related key that may be used beside a topic-specific one; there is at most one.
        var relatedKeyID: String?
        /// `World.appsRevision` at that time.
        let appsRevision: Int
    }

    /// What a listener is for.
    package enum Role: Hashable, Sendable {
        /// Notifications, broadcasts and the management of channels.
        case send
        /// Only the management of channels, as on Apple's hosts for it.
        case manage
        /// The control API, which needs no credentials to send.
        case control
    }

    /// Why a connection refuses every request. A case has precedence over those below it.
    enum Refusal: Hashable, Sendable {
        /// It was idle for too long (docs/reference/apns.md 11, row 25).
        case idleTimedOut
        case certificateFault(Objection)
        /// It has carried an expired provider token (docs/reference/apns.md 11, row 26).
        case expiredProviderToken

        fileprivate var rank: Int {
            switch self {
            case .idleTimedOut: 0
            case .certificateFault: 1
            case .expiredProviderToken: 2
            }
        }
    }

    package init(environment: APNSEnvironment, role: Role = .send) {
        self.environment = environment
        self.role = role
    }

    /// Refuses every request from now on; a reason that has precedence stays.
    mutating func refuse(because new: Refusal) {
        if let refusal, refusal.rank <= new.rank { return }
        refusal = new
    }

    /// What to do first.
    package enum Opening: Hashable, Sendable {
        /// The SETTINGS to begin with.
        case settings(ConnectionSettings)
        /// Send this and close without judging a request.
        case goAway(GoAway)
    }

    /// The handshake is done, with or without a client certificate.
    ///
    /// - Parameter now: The machine's time, by which certificates are checked. Milliseconds since 1970.
    package mutating func opened(
        certificate: ClientCertificate?, settings: WorldSettings, at now: Int64
    ) -> Opening {
        self.certificate = certificate
        if let certificate {
            certificateTopics = certificate.topics
            if let fault = certificate.fault(for: environment, at: now) {
                refuse(because: .certificateFault(fault))
                if settings.contested.certificateFault == .goAway {
                    return .goAway(GoAway(fault.reason, fault.why))
                }
            }
            streamLimit = settings.maximumConcurrentStreams
        }
        return .settings(ConnectionSettings(maximumConcurrentStreams: streamLimit))
    }

    /// The GOAWAY for a connection that was idle for too long; nil where it stays open. Depending on the settings it stays
    /// open and refuses later requests with `IdleTimeout`.
    ///
    /// - Parameter silence: How long nothing was received, in milliseconds.
    package mutating func idle(for silence: Int64, settings: WorldSettings) -> GoAway? {
        guard let limit = settings.idleTimeout, silence >= limit else { return nil }
        guard settings.contested.idleTimeout == .goAway else {
            refuse(because: .idleTimedOut)
            return nil
        }
        return GoAway(
            .idleTimeout,
            "nothing was received for \(Period.text(silence / 1000)); the limit is \(Period.text(limit / 1000))")
    }

    /// A provider token passed all its checks.
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

    /// The new stream limit after a request; nil where it does not change.
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
    package func accepts(_ stream: Int32) -> Bool { stream <= lastAcceptedStream }

    mutating func noteJudged(_ stream: Int32) { lastJudged = max(lastJudged, stream) }

    mutating func fixStreamLimit(_ limit: UInt32) { fixedStreamLimit = limit }

    /// Lowers the stream limit with a refusal. It stays until a request with good credentials raises it.
    ///
    /// - Returns: Nil where the limit is already this.
    mutating func lowerStreamLimit(to limit: UInt32) -> UInt32? {
        fixedStreamLimit = nil
        guard limit != streamLimit else { return nil }
        streamLimit = limit
        return limit
    }

    /// No further request is judged.
    mutating func stopAccepting() { lastAcceptedStream = 0 }

    /// The GOAWAY frames of a fault rule that hit `stream`.
    ///
    /// No last stream is below a request that was judged, and none is above that of an earlier frame.
    mutating func goAway(_ fault: GoAwayFault, at stream: Int32) -> GoAwayOrder {
        let last =
            switch fault.lastStream {
            case .this: max(stream, lastJudged)
            case .previous: max(stream - 2, lastJudged, 0)
            case .all: Int32.max
            }
        lastAcceptedStream = min(lastAcceptedStream, last)
        var frames: [Int32] = []
        for frame in fault.isTwice ? [.max, last] : [last] where lastAnnouncedStream.map({ frame < $0 }) ?? true {
            frames.append(frame)
            lastAnnouncedStream = frame
        }
        return GoAwayOrder(
            reason: fault.reason, code: fault.code, lastStreams: frames, closing: fault.closing)
    }
}

/// The values of the first SETTINGS frame (docs/reference/apns.md 1.3).
package struct ConnectionSettings: Hashable, Sendable {
    package let headerTableSize: UInt32 = 4096
    package let maximumConcurrentStreams: UInt32
    package let initialWindowSize = defaultWindow
    package let maximumFrameSize: UInt32 = 16_384
    package let maximumHeaderListSize = UInt32(RequestHead.maximumListBytes)

    /// How many bytes of a request's body may come before the sender has to wait, unless a fault rule changes it.
    package static let defaultWindow: UInt32 = 65_535
}
