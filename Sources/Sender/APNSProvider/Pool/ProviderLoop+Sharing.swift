import APNSModel
import NIOCore

/// Several event loops of one provider help each other out.
extension ProviderLoop {
    /// Gives what cannot be written now to event loops with free streams, or tells the others that streams are free here.
    func share(at now: MonotonicTime) {
        load.setCouldConnect(core.couldConnect)
        let surplus = core.surplus(at: now)
        guard surplus > 0 else {
            load.setSurplus(0)
            let spare = core.spareStreams(at: now)
            load.setSpareStreams(spare)
            guard spare > 0 else { return }
            for other in others where other.load.takeSurplus() { other.execute { $0.work() } }
            return
        }
        load.setSpareStreams(0)
        // Stored before the others' spare streams are read, so that a loop whose streams become free after that sees it.
        load.setSurplus(surplus)
        var left = surplus
        for other in others where left > 0 {
            let count = other.load.takeSpareStreams(atMost: left)
            if count > 0 { left -= give(count, to: other) }
        }
        if left != surplus { load.setSurplus(left) }
        // Before its first answer the gateway may allow one stream only; what waits then needs no other connection yet.
        if left > 0, !core.isStarting(at: now), let other = others.first(where: { $0.load.takeCouldConnect() }) {
            other.execute { $0.helpOthers() }
        }
    }

    /// Opens a connection, though nothing waits here: notifications wait at another event loop.
    func helpOthers() {
        guard core.couldConnect else { return }
        core.isWanted = true
        work()
    }

    /// - Returns: How many were passed on.
    private func give(_ count: Int, to other: ProviderLane) -> Int {
        let given = core.giveAway(count)
        for submission in given {
            if case .bulk(let run, _) = submission.recipient { run.parts[index].gave(1, to: run.parts[other.index]) }
        }
        wake(after: inbox.move(given, to: other.index))
        return given.count
    }

    /// Takes a submission that another event loop could not write.
    func receive(_ submission: Submission) {
        if case .bulk(let run, _) = submission.recipient {
            let part = run.parts[index]
            part.received()
            if part.isStopped {
                resolutions.append(Core.Resolution(submission: submission, outcome: .unsent(.stopped)))
                return
            }
        }
        core.submit(submission)
    }

    func wake(after posted: Inbox.Posted) {
        guard case .wake(let loop) = posted else { return }
        guard loop != index else { return eventLoop.assumeIsolated().execute { self.emptyInbox() } }
        for other in others where other.index == loop { other.execute { $0.emptyInbox() } }
    }
}

extension Submission {
    func isPart(of run: BulkRun) -> Bool {
        if case .bulk(let owner, _) = recipient { owner === run } else { false }
    }
}
