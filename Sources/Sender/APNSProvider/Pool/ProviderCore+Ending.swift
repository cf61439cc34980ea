import APNSModel

/// What ends a submission before its answer: its task, its deadline, the stop of its bulk send, the end of the provider.
extension ProviderCore {
    /// Whether the whole request in a slot of a connection was written.
    typealias WasSent = (_ connection: Int, _ slot: Int) -> Bool

    /// The caller's task was cancelled.
    ///
    /// - Returns: Nil when the submission has its outcome already.
    mutating func cancel(
        _ submission: Submission, actions: inout [Action], wasSent: WasSent = { _, _ in true }
    ) -> Resolution? {
        guard !submission.isResolved else { return nil }
        switch submission.place {
        case .outside: return nil
        case .queue:
            queue.remove(submission)
            let error = APNSSendError(
                .cancelled, "the task was cancelled before the notification was sent", isSafeToRetry: true)
            return Resolution(submission: submission, outcome: .unsent(error))
        case .stream(let connection, let slot):
            return abandon(
                Int(slot), of: Int(connection), actions: &actions, wasSent: wasSent,
                unsent: APNSSendError(
                    .cancelled, "the task was cancelled before the notification was written", isSafeToRetry: true),
                unknown: APNSSendError(
                    .cancelled, "the task was cancelled while waiting for the answer", isSafeToRetry: false))
        }
    }

    /// Ends a request whose caller waits no longer, and resets its stream. A head that has arrived is the answer; a request
    /// that was not written completely was surely not processed, and never will be.
    private mutating func abandon(
        _ slot: Int, of index: Int, actions: inout [Action], wasSent: WasSent, unsent: APNSSendError,
        unknown: APNSSendError
    ) -> Resolution? {
        guard let request = connections[index]?.abandon(slot) else { return nil }
        actions.append(.reset(connection: index, slot: slot))
        if request.hasHead { return Resolution(answered: request) }
        return Resolution(
            submission: request.submission, outcome: wasSent(index, slot) ? .unknown(unknown) : .unsent(unsent))
    }

    /// Resolves the queued submissions of a bulk send as unsent. In-flight requests go on.
    mutating func cancelQueued(of group: SubmissionGroup) -> [Resolution] {
        group.all.filter(\.isQueued).map { submission in
            queue.remove(submission)
            return Resolution(submission: submission, outcome: .unsent(.stopped))
        }
    }

    /// The same for those that `isMeant`. It looks at all that is queued.
    mutating func cancelQueued(where isMeant: (Submission) -> Bool) -> [Resolution] {
        queue.all.filter(isMeant).map { submission in
            queue.remove(submission)
            return Resolution(submission: submission, outcome: .unsent(.stopped))
        }
    }

    /// Resolves the submissions whose deadline has passed.
    mutating func expire(
        at now: MonotonicTime, actions: inout [Action], resolved: inout [Resolution],
        wasSent: WasSent = { _, _ in true }
    ) {
        for node in deadlines.takeDue(at: now) {
            if let submission = node as? Submission {
                if let end = expire(submission, actions: &actions, wasSent: wasSent) { resolved.append(end) }
            } else if let group = node as? SubmissionGroup {
                while let submission = group.first, submission.deadline <= now {
                    submission.leaveRing()
                    if let end = expire(submission, actions: &actions, wasSent: wasSent) { resolved.append(end) }
                }
                group.isWatched = false
                if let first = group.first { watch(group, from: first.deadline) }
            }
        }
    }

    private mutating func expire(
        _ submission: Submission, actions: inout [Action], wasSent: WasSent
    ) -> Resolution? {
        switch submission.place {
        case .outside:
            // Resolving a submission removes it from the deadlines, so what is due has a place.
            preconditionFailure("a submission without an outcome is queued or on a stream")
        case .queue:
            queue.remove(submission)
            return Resolution(submission: submission, outcome: .unsent(deadlineError(for: submission)))
        case .stream(let connection, let slot):
            return abandon(
                Int(slot), of: Int(connection), actions: &actions, wasSent: wasSent,
                unsent: APNSSendError(
                    .deadlineExceeded, "the deadline passed before the notification was written", isSafeToRetry: true),
                unknown: APNSSendError(
                    .deadlineExceeded, "no answer came before the deadline; the notification may have been delivered",
                    isSafeToRetry: false))
        }
    }

    /// The time limit of closing has passed: requests that were sent and have no answer are unknown, the others unsent.
    mutating func endInFlight(resolved: inout [Resolution], wasSent: WasSent) {
        var actions: [Action] = []  // the connections are closed anyway
        for index in connections.indices {
            for (slot, _) in connections[index]?.inFlight ?? [] {
                let end = abandon(
                    slot, of: index, actions: &actions, wasSent: wasSent, unsent: .closedProvider,
                    unknown: .closedWithoutAnswer)
                if let end { resolved.append(end) }
            }
        }
    }
}
