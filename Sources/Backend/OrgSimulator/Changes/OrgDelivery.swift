package import PushDispatch

/// What a gateway knows of a notification after its answer.
package enum OrgDelivery: Hashable, Sendable {
    /// The latest stage of the notification's life.
    case stage(String, at: String, why: String)
    /// Why the gateway refused it, in its own words.
    case refused(why: String)
    case unknown(why: String)

    /// The question to a gateway about one notification.
    package enum Question: Hashable, Sendable {
        case life(uniqueID: String)
        case refusal(apnsID: String)

        /// The path in the control API of a gateway simulator.
        package var path: String {
            switch self {
            case .life(let id): "/api/notifications/\(id)"
            case .refusal(let id): "/api/notifications?limit=1&apns-id=\(id)"
            }
        }
    }

    /// A gateway's answer to a question over its control API.
    package init(_ status: Int, _ body: JSONValue, to question: Question) {
        switch question {
        case .life:
            let life = body.object?["life"]?.array?.compactMap(\.object) ?? []
            if status == 200, let last = life.last, let stage = last["stage"]?.string {
                self = .stage(stage, at: last["at"]?.string ?? "", why: last["why"]?.string ?? "")
                return
            }
        case .refusal:
            let found = body.object?["notifications"]?.array?.first?.object
            if status == 200, let why = found?["why"]?.string {
                self = .refused(why: why)
                return
            }
        }
        self = .unknown(why: "the gateway does not know this notification any more; it answered \(status)")
    }
}
