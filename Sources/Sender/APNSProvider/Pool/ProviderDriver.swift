package import APNSModel

/// `ProviderCore` for whoever brings connections of their own, as a simulation does. It decides nothing.
package struct ProviderDriver {
    package enum Action: Hashable, Sendable {
        case connect(link: Int)
        case close(link: Int)
        case abort(link: Int)
        case ping(link: Int)
        case reset(link: Int, slot: Int)
    }

    /// What is to be written as the stream in `slot`.
    package struct Request {
        package let id: UInt64
        package let slot: Int
        package let notification: APNSNotification
        package let apnsID: String
    }

    package struct Settled {
        package let id: UInt64
        package let outcome: APNSOutcome
        /// The number of the provider token that may have been refused.
        package let refusedToken: Int?
    }

    private var core: ProviderCore
    private var actions: [ProviderCore.Action] = []
    private var resolved: [ProviderCore.Resolution] = []
    private var ids: SeededGenerator

    package init(connections: Int, seed: UInt64) {
        core = ProviderCore(
            limits: ProviderCore.Limits(connections: connections, connectAttempts: 5),
            backOff: BackOff(first: .milliseconds(500), longest: .seconds(30), seed: seed))
        ids = SeededGenerator(seed: SeededGenerator.mix(seed))
    }

    package mutating func submit(_ notification: APNSNotification, id: UInt64, until deadline: MonotonicTime) {
        let submission = Submission(
            id: id, notification: notification, ticket: .single(Caller(id: id)), submitted: .zero, deadline: deadline)
        if submission.apnsID.isEmpty { submission.apnsID = NotificationID.lowercase(using: &ids) }
        core.submit(submission)
    }

    /// What `link` takes now.
    ///
    /// - Parameter freeSlot: The slot of the next stream.
    package mutating func fill(
        _ link: Int, at now: MonotonicTime, tokenNumber: Int, freeSlot: () -> Int
    ) -> [Request] {
        var requests: [Request] = []
        core.fill(link, atMost: .max, at: now, tokenNumber: tokenNumber, resolved: &resolved) { submission in
            let slot = freeSlot()
            requests.append(
                Request(
                    id: submission.id, slot: slot, notification: submission.notification,
                    apnsID: submission.apnsID))
            return .stream(slot)
        }
        return requests
    }

    package mutating func opened(_ link: Int, streamLimit: Int, at now: MonotonicTime) {
        core.opened(link: link, at: now)
        core.streamLimit(link: link, streamLimit)
    }

    package mutating func streamLimit(_ link: Int, _ limit: Int) { core.streamLimit(link: link, limit) }

    package mutating func heard(_ link: Int, at now: MonotonicTime) { core.heard(link: link, at: now) }

    package mutating func answered(
        _ link: Int, slot: Int, status: Int, uniqueID: String?, body: [UInt8], at now: MonotonicTime
    ) {
        core.heard(link: link, at: now)
        var head = ResponseHead()
        head.status = status
        head.uniqueID = uniqueID
        core.head(link: link, slot: slot, head)
        body.withUnsafeBytes { core.body(link: link, slot: slot, bytes: $0) }
        if let resolution = core.answered(link: link, slot: slot) { resolved.append(resolution) }
    }

    package mutating func closed(_ link: Int, slot: Int, isRefused: Bool, words: String, at now: MonotonicTime) {
        if let resolution = core.closed(link: link, slot: slot, isRefused: isRefused, words: words, at: now) {
            resolved.append(resolution)
        }
    }

    package mutating func goAway(_ link: Int, reason: String?) { core.goAway(link: link, reason: reason) }

    package mutating func lost(_ link: Int, words: String, at now: MonotonicTime, wasSent: (Int) -> Bool) {
        core.lost(
            link: link, words: words, isPermanent: false, at: now, resolved: &resolved, wasSent: wasSent)
    }

    package mutating func cancel(_ id: UInt64) {
        if let resolution = core.cancel(id, actions: &actions) { resolved.append(resolution) }
    }

    package mutating func expire(at now: MonotonicTime) {
        core.expire(at: now, actions: &actions, resolved: &resolved)
    }

    package mutating func takeActions(at now: MonotonicTime) -> [Action] {
        core.plan(at: now, actions: &actions, resolved: &resolved)
        defer { actions.removeAll() }
        return actions.map { action in
            switch action {
            case .connect(let link): .connect(link: link)
            case .close(let link): .close(link: link)
            case .abort(let link): .abort(link: link)
            case .ping(let link): .ping(link: link)
            case .reset(let link, let slot): .reset(link: link, slot: slot)
            }
        }
    }

    package mutating func takeSettled() -> [Settled] {
        defer { resolved.removeAll() }
        return resolved.map {
            Settled(id: $0.submission.id, outcome: $0.outcome, refusedToken: $0.refusedToken)
        }
    }

    package var isIdle: Bool { core.isIdle }

    /// Whether something waits or is under way.
    package var isBusy: Bool { core.queued > 0 || core.underWay > 0 }
}
