package import SelectiveSync

/// The answer of a gateway to one notification.
package struct OrgAnswer: Hashable, Sendable {
    /// Nil if there is no answer.
    package var status: Int?
    /// The reason of a refusal, or why there is no answer.
    package var detail: String?
    /// The timestamp of a 410.
    package var timestamp: ServerDate?
    package var apnsID: String?
    /// `apns-unique-id`, which only sandboxes send.
    package var uniqueID: String?

    package init(status: Int?, detail: String? = nil, timestamp: ServerDate? = nil) {
        self.status = status
        self.detail = detail
        self.timestamp = timestamp
    }

    package static func accepted(apnsID: String?, uniqueID: String?) -> OrgAnswer {
        var answer = OrgAnswer(status: 200)
        answer.apnsID = apnsID
        answer.uniqueID = uniqueID
        return answer
    }
}

extension OrgChange.Answer {
    init(_ answer: OrgAnswer, at now: ServerDate) {
        date = now
        status = answer.status
        detail = answer.detail
        apnsID = answer.apnsID
        uniqueID = answer.uniqueID
    }
}
