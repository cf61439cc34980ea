package import APNSModel

/// An answer in the exact form of the wire (docs/reference/apns.md 1.7).
package struct GatewayResponse: Hashable, Sendable {
    package let status: Int
    /// The value of `apns-id`, or of `apns-request-id` where `isAboutChannels`.
    package let apnsID: String
    /// Whether the header of the id is `apns-request-id`, as in answers to broadcasts and the management of channels.
    package let isAboutChannels: Bool
    /// The id of a channel that was just created.
    package let channelID: String?
    package let shownID: UniqueID?
    /// Nil, as seen on the wire, unless the settings ask for the documented form.
    package let contentType: String?
    /// Seconds; nil, as seen on the wire, unless the settings ask for it.
    package let retryAfter: Int?
    /// Empty where a notification was accepted, and in answers to HEAD; END_STREAM then goes on the HEADERS.
    package let body: [UInt8]

    /// - Parameters:
    ///   - verdict: One that accepts or refuses.
    ///   - answer: The answer to a request about channels.
    ///   - isToHead: Whether the method was HEAD, whose answer has no body (RFC 9110, 9.3.2).
    init(_ verdict: Verdict, _ contested: ContestedSettings, _ answer: ChannelAnswer? = nil, isToHead: Bool = false) {
        apnsID = verdict.apnsID
        isAboutChannels =
            verdict.kind != .notification
            && !(verdict.kind == .broadcast && contested.answersBroadcastsWithNotificationID)
        channelID = answer?.channelID?.base64
        shownID = verdict.shownID
        guard case .refused(let reason, let timestamp) = verdict.outcome else {
            status = verdict.kind.acceptedStatus
            contentType = nil
            retryAfter = nil
            body = answer?.body ?? []
            return
        }
        status = reason.status
        let documented = contested.usesDocumentedErrorBody
        contentType = documented ? "application/json" : nil
        retryAfter = contested.sendsRetryAfter ? GatewayResponse.pause(after: reason) : nil
        body = isToHead ? [] : GatewayResponse.body(reason, timestamp: timestamp, spaced: documented)
    }

    package var uniqueID: String? { shownID?.text }

    /// All headers in the order in which they are sent.
    package var headers: [(name: String, value: String)] {
        var headers = [
            (name: ":status", value: String(status)),
            (name: isAboutChannels ? "apns-request-id" : "apns-id", value: apnsID),
        ]
        if let channelID { headers.append((name: "apns-channel-id", value: channelID)) }
        if let shownID { headers.append((name: "apns-unique-id", value: shownID.text)) }
        if let contentType { headers.append((name: "content-type", value: contentType)) }
        if let retryAfter { headers.append((name: "retry-after", value: String(retryAfter))) }
        return headers
    }

    /// How long to wait, in seconds: what Apple suggests for 503, and the shortest use of a provider token. For
    /// `TooManyRequests` nothing is documented.
    private static func pause(after reason: Reason) -> Int? {
        switch reason {
        case .tooManyProviderTokenUpdates: Int(TokenUse.minimumUse)
        case _ where reason.status == 429: 60
        case _ where reason.status == 503: 900
        default: nil
        }
    }

    /// The JSON of a refusal and of GOAWAY's debug data: reason first, then timestamp, no line end.
    static func body(_ reason: Reason, timestamp: Int64? = nil, spaced: Bool = false) -> [UInt8] {
        let colon = spaced ? " : " : ":"
        var text = "{\"reason\"\(colon)\"\(reason.code)\""
        if let timestamp { text += "\(spaced ? ", " : ",")\"timestamp\"\(colon)\(timestamp)" }
        text += "}"
        return Array(text.utf8)
    }
}

/// The end of a connection: a GOAWAY frame with the error code NO_ERROR.
package struct GoAway: Hashable, Sendable {
    package let reason: Reason
    package let why: String

    package init(_ reason: Reason, _ why: String) {
        self.reason = reason
        self.why = why
    }

    /// Compact JSON with the reason (docs/reference/apns.md 1.5).
    package var debugData: [UInt8] { GatewayResponse.body(reason) }
}
