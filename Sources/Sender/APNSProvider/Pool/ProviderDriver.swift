package import APNSModel

/// `ProviderCore` for a caller with its own connections, such as the simulation. It decides nothing itself.
package struct ProviderDriver {
    package enum Action: Hashable, Sendable {
        case open(connection: Int)
        case close(connection: Int)
        case abort(connection: Int)
        case ping(connection: Int)
        case reset(connection: Int, slot: Int)
    }

    /// A request to write as the stream in `slot`.
    package struct Request {
        package let id: UInt64
        package let slot: Int
        package let notification: APNSNotification
        package let apnsID: String
    }

    package struct Settled {
        package let id: UInt64
        package let outcome: APNSOutcome
        /// The number of the provider token that the notification was written with; nil unless the answer's status is
        /// 403.
        package let refusedToken: Int?
    }

    private var core: ProviderCore
    private var actions: [ProviderCore.Action] = []
    private var resolved: [ProviderCore.Resolution] = []
    private var ids: SeededGenerator
    /// Those without an outcome.
    private var submissions: [UInt64: Submission] = [:]

    package init(connections: Int, seed: UInt64) {
        core = ProviderCore(
            limits: ProviderCore.Limits(connections: connections),
            reconnection: ReconnectionPolicy(first: .milliseconds(250), longest: .seconds(60), seed: seed))
        ids = SeededGenerator(seed: SeededGenerator.mix(seed))
    }

    package mutating func submit(
        _ notification: APNSNotification, id: UInt64, at submitted: MonotonicTime = .zero,
        until deadline: MonotonicTime
    ) {
        let submission = Submission(
            id: id, notification: notification, apnsID: notification.id?.text ?? "", recipient: .single(Caller(id: id)),
            submitted: submitted, deadline: deadline)
        if submission.apnsID.isEmpty { submission.apnsID = NotificationID.lowercase(using: &ids) }
        submissions[id] = submission
        core.submit(submission)
    }

    /// Takes the requests from the queue that the connection can write now.
    ///
    /// - Parameter freeSlot: Returns the slot of the next stream.
    package mutating func fill(
        _ index: Int, at now: MonotonicTime, tokenNumber: Int, freeSlot: () -> Int
    ) -> [Request] {
        var requests: [Request] = []
        core.fill(index, atMost: .max, at: now, tokenNumber: tokenNumber, resolved: &resolved) { submission in
            guard let notification = submission.notification else { preconditionFailure("it submits no others") }
            let slot = freeSlot()
            requests.append(
                Request(
                    id: submission.id, slot: slot, notification: notification, apnsID: submission.apnsID))
            return .stream(slot)
        }
        return requests
    }

    package mutating func opened(_ index: Int, streamLimit: Int, at now: MonotonicTime) {
        core.opened(connection: index, at: now)
        core.streamLimit(connection: index, streamLimit)
    }

    package mutating func streamLimit(_ index: Int, _ limit: Int) { core.streamLimit(connection: index, limit) }

    package mutating func heard(_ index: Int, at now: MonotonicTime) { core.heard(connection: index, at: now) }

    package mutating func answered(
        _ index: Int, slot: Int, status: Int, uniqueID: String?, body: [UInt8], at now: MonotonicTime
    ) {
        core.heard(connection: index, at: now)
        var head = ResponseHead()
        head.status = status
        head.uniqueID = uniqueID
        core.head(connection: index, slot: slot, head)
        body.withUnsafeBytes { core.body(connection: index, slot: slot, bytes: $0) }
        if let resolution = core.answered(connection: index, slot: slot, at: now) { resolved.append(resolution) }
    }

    package mutating func closed(_ index: Int, slot: Int, isRefused: Bool, description: String, at now: MonotonicTime) {
        if let resolution = core.closed(
            connection: index, slot: slot, isRefused: isRefused, description: description, at: now)
        {
            resolved.append(resolution)
        }
    }

    package mutating func goAway(_ index: Int, reason: String?, at now: MonotonicTime) {
        core.goAway(connection: index, reason: reason, at: now)
    }

    package mutating func lost(
        _ index: Int, description: String, isPermanent: Bool = false, at now: MonotonicTime, wasSent: (Int) -> Bool
    ) {
        core.lost(
            connection: index, description: description, isPermanent: isPermanent, at: now, resolved: &resolved,
            wasSent: wasSent)
    }

    /// - Parameter wasSent: Whether the whole request in a slot of a connection was written.
    package mutating func cancel(_ id: UInt64, wasSent: (_ connection: Int, _ slot: Int) -> Bool) {
        guard let submission = submissions[id] else { return }
        if let resolution = core.cancel(submission, actions: &actions, wasSent: wasSent) { resolved.append(resolution) }
    }

    package mutating func expire(at now: MonotonicTime, wasSent: (_ connection: Int, _ slot: Int) -> Bool) {
        core.expire(at: now, actions: &actions, resolved: &resolved, wasSent: wasSent)
    }

    package mutating func takeActions(at now: MonotonicTime) -> [Action] {
        core.plan(at: now, actions: &actions, resolved: &resolved)
        defer { actions.removeAll() }
        return actions.map { action in
            switch action {
            case .open(let index): .open(connection: index)
            case .close(let index): .close(connection: index)
            case .abort(let index): .abort(connection: index)
            case .ping(let index): .ping(connection: index)
            case .reset(let index, let slot): .reset(connection: index, slot: slot)
            }
        }
    }

    package mutating func takeSettled() -> [Settled] {
        defer { resolved.removeAll() }
        return resolved.map {
            submissions[$0.submission.id] = nil
            return Settled(id: $0.submission.id, outcome: $0.outcome, refusedToken: $0.refusedToken)
        }
    }

    package var isIdle: Bool { core.isIdle }

    /// Whether a notification has no outcome yet.
    package var isBusy: Bool { core.queued > 0 || core.underWay > 0 }
}
