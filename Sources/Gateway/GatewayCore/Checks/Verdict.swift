package import APNSModel

/// What the gateway decided about one request.
package struct Verdict: Sendable {
    package enum Outcome: Hashable, Sendable, Codable {
        case accepted
        /// The timestamp is in milliseconds since 1970 and comes only with status 410.
        case refused(Reason, timestamp: Int64?)
        /// A fault rule ended the request before it was judged, so it is neither accepted nor refused.
        case unprocessed
    }

    package let outcome: Outcome
    /// The id of the request; generated where the request has none or a malformed one.
    package let apnsID: String
    /// The value of `apns-unique-id`; nil where the answer has no such header.
    package let shownID: UniqueID?
    /// The id of the check that refused; `accepted` when none did, `fault` when a fault rule decided, and
    /// `recorded` when a recording did.
    package let rule: String
    package let why: String
    package var kind = RequestKind.notification

    package var uniqueID: String? { shownID?.text }

    package static let acceptedRule = "accepted"
    package static let faultRule = "fault"
    /// A recording has the answer.
    package static let recordedRule = "recorded"
    /// The request is for another world than its connection, or for none that can exist.
    package static let worldRule = "world"

    /// Not a reason of APNs: HTTP's status for a request that came over the wrong connection (RFC 9110, 15.5.20).
    ///
    /// - Parameter host: The host name of TLS where it is not a valid one.
    static func misdirected(_ authority: String?, host: String?) -> Objection {
        let reason = Reason("MisdirectedRequest", 421)
        if let invalid = host ?? authority.flatMap({ WorldName.isInvalid(authority: $0) ? $0 : nil }) {
            return Objection(
                reason,
                "the host \(PeerText.quoted(invalid)) ends with .localhost and names no world: the name of a world is "
                    + "\(WorldName.form)")
        }
        return Objection(
            reason,
            "the request is for \(PeerText.quoted(authority ?? "")), and its connection belongs to another world: the one of "
                + "its port, of the host that TLS asked for or of its first request; open a connection for each world")
    }

    package var reason: Reason? {
        if case .refused(let reason, _) = outcome { reason } else { nil }
    }

    package var isAccepted: Bool { outcome == .accepted }

    /// Nil for a request that is not answered.
    package var status: Int? {
        switch outcome {
        case .accepted: kind.acceptedStatus
        case .refused(let reason, _): reason.status
        case .unprocessed: nil
        }
    }
}

/// A verdict, with what the transport has to do.
///
/// An immutable class: a struct would count a reference for each of its strings whenever it is passed on.
package final class Judgement: Sendable {
    package let verdict: Verdict
    /// The number of the journal entry.
    package let sequence: UInt64
    /// A new SETTINGS_MAX_CONCURRENT_STREAMS; its frame goes **before** the answer. Nil for no change.
    package let streamLimit: UInt32?
    /// What happened to the notification, and to others because of it or because time passed, oldest first.
    package let events: [DeliveryEvent]
    /// Nil for a request that was not judged.
    package let response: GatewayResponse?
    /// What a fault rule does beside the answer or instead of it; nil for nothing.
    package let fault: FaultAction?
    /// Whether the answer is sent at once.
    let answersAtOnce: Bool

    init(
        verdict: consuming Verdict, sequence: UInt64, streamLimit: UInt32?, events: consuming [DeliveryEvent],
        response: consuming GatewayResponse?, fault: FaultAction?
    ) {
        self.verdict = verdict
        self.sequence = sequence
        self.streamLimit = streamLimit
        self.events = events
        answersAtOnce = response != nil && fault?.delaysAnswer != true
        self.response = response
        self.fault = fault
    }
}
