package import APNSModel
package import APNSPayload

/// One request with its verdict and everything that has happened to the notification since.
package struct JournalEntry: Sendable {
    /// Counts the requests of the world from 0.
    package let sequence: UInt64
    /// Every entry has one, so that it can be looked up. Only an answer of the sandbox that accepts carries it as
    /// `apns-unique-id`; for production and for refusals it stays inside the journal (docs/reference/apns.md 1.7 and 2.6).
    package let uniqueID: String
    /// When it came in. Milliseconds since 1970.
    package let received: Int64
    package let environment: APNSEnvironment
    package let kind: RequestKind
    /// As in the path; nil if there was none.
    package let token: String?
    /// For broadcasts and the management of channels the app in the path. Nil if neither the request nor the certificate
    /// names one.
    package let topic: String?
    package let pushType: String?
    package let priority: String?
    package let expiration: String?
    package let collapseID: String?
    package let channelID: String?
    package let payload: [UInt8]
    /// How many bytes of the body are not in `payload`.
    package let omittedBytes: Int
    package let keyID: String?
    package let teamID: String?
    /// False for the provider token of an unknown key, which only `acceptsAnyKey` accepts.
    package let isVerified: Bool
    /// Whether the control API sent it, which needs no provider token.
    package let isFromControl: Bool
    package let verdict: Verdict
    /// Whether the validator looks at it: not if the request was refused before its headers were checked.
    private let hasFindings: Bool
    /// What a fault rule did to it; nil for most.
    package let fault: FaultNote?
    /// Oldest first; starts with `accepted` or `refused`, or with `dropped` for a request that was not judged.
    package let life: [LifeEntry]

    package var payloadBytes: Int { payload.count + omittedBytes }

    init(_ record: borrowing JournalRecord, sequence: UInt64, id: UniqueID) {
        self.sequence = sequence
        uniqueID = id.text
        received = record.received
        environment = record.environment
        kind = record.kind
        token = record[.token]
        topic = record[.topic]
        pushType = record[.pushType]
        priority = record[.priority]
        expiration = record[.expiration]
        collapseID = record[.collapseID]
        channelID = record[.channelID]
        payload = record.payload
        omittedBytes = record.omittedBytes
        keyID = record[.keyID]
        teamID = record[.teamID]
        isVerified = record.isVerified
        isFromControl = record.isFromControl
        verdict = Verdict(
            outcome: record.outcome, apnsID: record.apnsID, shownID: record.showsUniqueID ? id : nil,
            rule: record.rule, why: record.why, kind: record.kind)
        hasFindings = record.isJudged
        fault = record.fault
        let stage: LifeEntry.Stage =
            switch record.outcome {
            case .accepted: .accepted
            case .refused: .refused
            case .unprocessed: .dropped
            }
        life = [LifeEntry(stage: stage, at: record.received, why: record.why)] + record.lifeAfterVerdict
    }

    /// What the validator says about headers and payload; for a payload that was cut off only about its length. Computed
    /// when read: for most requests it never is, and the checks need only a few of the rules.
    package var findings: [Finding] {
        guard hasFindings, kind.isSend else { return [] }
        let isBroadcast = kind == .broadcast
        var validator = Validator()
        var found = validator.findings(
            for: Envelope(
                kind: .notification, token: token,
                topic: isBroadcast ? topic.map { $0 + DeviceKind.liveactivity.topicSuffix } : topic,
                pushType: isBroadcast ? pushType?.lowercased() : pushType, priority: priority,
                expiration: expiration, collapseID: collapseID, apnsID: verdict.apnsID, payload: payload))
        if isBroadcast {
            found.removeAll { $0.rule == Rule.payloadTooLarge.id && payloadBytes <= BroadcastChannel.maximumBodyBytes }
        }
        if omittedBytes > 0 {
            found.removeAll { $0.rule != Rule.payloadTooLarge.id }
            for index in found.indices { found[index].message = PayloadChecks.tooLong(payloadBytes) }
        }
        return found
    }
}
