package import APNSModel
package import APNSPayload

/// What the gateway decided about one request.
package struct Verdict: Sendable {
    package enum Outcome: Hashable, Sendable {
        case accepted
        /// The timestamp is in milliseconds since 1970 and comes only with status 410.
        case refused(Reason, timestamp: Int64?)
    }

    package let outcome: Outcome
    /// As it was sent; made by the gateway where the request had none or a malformed one.
    package let apnsID: String
    /// The value of `apns-unique-id`; nil where the answer has no such header.
    package let uniqueID: String?
    /// The id of the check that refused; `accepted` when none did.
    package let rule: String
    package let why: String
    /// What the validator says about headers and payload. Empty for requests refused before their headers were read.
    package let findings: [Finding]

    package static let acceptedRule = "accepted"

    package var reason: Reason? {
        if case .refused(let reason, _) = outcome { reason } else { nil }
    }

    package var isAccepted: Bool { outcome == .accepted }

    package var status: Int { reason?.status ?? 200 }

    /// The answer as the sender sees it.
    package var reply: Reply {
        switch outcome {
        case .accepted: .accepted(apnsID: apnsID, uniqueID: uniqueID)
        case .refused(let reason, let timestamp): .refused(Refusal(reason, apnsID: apnsID, timestamp: timestamp))
        }
    }
}

/// A verdict with what the shell has to do about it.
package struct Judgement: Sendable {
    package let verdict: Verdict
    /// The number of the journal entry.
    package let sequence: UInt64
    /// A new SETTINGS_MAX_CONCURRENT_STREAMS; its frame goes **before** the answer. Nil for no change.
    package let streamLimit: UInt32?
    /// What happened to the notification, and to others because of it, oldest first.
    package let events: [DeliveryEvent]
    package let response: GatewayResponse
}
