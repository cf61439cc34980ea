package import APNSModel
package import TLSSession

/// How far a connection came, and what was answered on it.
package struct ConnectionEvidence: Hashable, Sendable {
    package var destination: Destination
    /// The ports that were tried, in this order; only the last one may be open.
    package var attempts: [PortAttempt]
    /// Nil without TCP.
    package var tls: TLSEvidence?
    /// Nil without TLS.
    package var http2: HTTP2Evidence?
    /// The answer to the push to an impossible device token; nil where none was sent.
    package var impossible: PushAnswer?
    /// The answer to the push to the device token that was given.
    package var device: PushAnswer?

    package init(
        destination: Destination, attempts: [PortAttempt] = [], tls: TLSEvidence? = nil, http2: HTTP2Evidence? = nil,
        impossible: PushAnswer? = nil, device: PushAnswer? = nil
    ) {
        self.destination = destination
        self.attempts = attempts
        self.tls = tls
        self.http2 = http2
        self.impossible = impossible
        self.device = device
    }

    package var isConnected: Bool { attempts.last?.failure == nil && !attempts.isEmpty }
}

package struct PortAttempt: Hashable, Sendable {
    package var port: Int
    /// Why there is no connection; nil for an open port.
    package var failure: String?

    package init(port: Int, failure: String? = nil) {
        self.port = port
        self.failure = failure
    }
}

package struct TLSEvidence: Hashable, Sendable {
    package struct Failure: Hashable, Sendable {
        /// Nil where TLS itself did not fail, such as for a peer that is silent.
        package var code: TLSError.Code?
        package var detail: String

        package init(_ code: TLSError.Code?, _ detail: String) {
            self.code = code
            self.detail = detail
        }
    }

    /// Nil for a handshake that was completed.
    package var failure: Failure?
    /// Such as `TLSv1.3`; nil without a handshake.
    package var version: String?
    package var cipher: String?
    /// What the peer sent, its own certificate first; empty where it sent none.
    package var chain: [CertificateFacts]
    /// Whether the authorities to verify with were given, instead of those of the system.
    package var hasOwnAuthorities: Bool

    package init(
        failure: Failure? = nil, version: String? = nil, cipher: String? = nil, chain: [CertificateFacts] = [],
        hasOwnAuthorities: Bool = false
    ) {
        self.failure = failure
        self.version = version
        self.cipher = cipher
        self.chain = chain
        self.hasOwnAuthorities = hasOwnAuthorities
    }
}

package struct HTTP2Evidence: Hashable, Sendable {
    /// SETTINGS_MAX_CONCURRENT_STREAMS; nil without SETTINGS.
    package var streamLimit: Int?
    /// The reason or error code of a GOAWAY.
    package var goAway: String?
    /// Why the connection ended before its SETTINGS; nil where they came.
    package var failure: String?

    package init(streamLimit: Int? = nil, goAway: String? = nil, failure: String? = nil) {
        self.streamLimit = streamLimit
        self.goAway = goAway
        self.failure = failure
    }
}

/// What was answered to one push.
package enum PushAnswer: Hashable, Sendable {
    case accepted
    /// - Parameter timestamp: Of a 410, in milliseconds since 1970-01-01 UTC.
    case refused(Reason, timestamp: Int64? = nil)
    /// The connection ended, or no answer came in time.
    ///
    /// - Parameter goAway: The reason of a GOAWAY.
    case none(String, goAway: String? = nil)
    /// The peer ended the connection because of the client certificate, with this alert of TLS.
    case certificateRefused(String)

    /// The reason of a refusal, also of one by GOAWAY.
    package var reason: Reason? {
        switch self {
        case .refused(let reason, _): reason
        case .none(_, let code?):
            Reason.deviceReasons.first { $0.reason.code == code }?.reason ?? .named(code, status: 0)
        case .accepted, .none, .certificateRefused: nil
        }
    }

    /// Why there is no answer; nil where there is one.
    var silence: String? {
        switch self {
        case .none(let why, _), .certificateRefused(let why): why
        case .accepted, .refused: nil
        }
    }
}
