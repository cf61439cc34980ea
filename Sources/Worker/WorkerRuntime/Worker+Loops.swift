import APNSModel
import APNSTransport
import PushQueue
import Synchronization
import WorkerCore

extension Worker {
    /// How often due jobs, ended leases and new settings of the engine are looked for.
    private static let period = Duration.milliseconds(500)
    private static let tick = Duration.milliseconds(50)
    private static let settlementsInBatch = 256
    /// So often in a row a worker that runs once asks an engine that will refuse again.
    private static let maximumFailures = 5

    // MARK: Reserving

    func reserveLoop() async {
        var failures = 0
        var readers = JobReaders(validates: options.validates)
        while !isStopping {
            let question = state.withLock { $0.question(at: .now) }
            let demands = question.demands
            guard !demands.isEmpty else {
                await reserving.wait()
                continue
            }
            do throws(QueueError) {
                try await reclaimIfNeeded()
                let start = MonotonicTime.now
                let reservation = try await queue.reserve(
                    demands, lease: options.settings.lease, as: options.name)
                found()
                take(reservation, demands, since: start, &readers)
                if isStopping { await handBackAfterStop() }
                if reservation.jobs.isEmpty {
                    // A scheduled job that is due is ready too.
                    let hasMoved = try await promoteOnce()
                    if !hasMoved, try await waitOrEnd(question) { return }
                }
                failures = 0
            } catch {
                if error.mayBeDone { state.withLock { $0.needsReclaim = true } }
                lost(error)
                failures += 1
                if options.settings.isOnce, !error.isTemporary, failures == Worker.maximumFailures {
                    state.withLock { $0.failure = error }
                    return stop(within: .seconds(5))
                }
                await pause(failures, untilStop: true)
                if error.code == .missing { try? await queue.prepare(options.settings.lanes.names) }
            }
        }
    }

    /// Makes the jobs ready again that the engine counts as held by this worker and that it does not hold. Only one
    /// task may call it, and not while jobs are reserved.
    func reclaimIfNeeded() async throws(QueueError) {
        guard let held = state.withLock({ $0.needsReclaim ? $0.core.heldIDs : nil }) else { return }
        _ = try await queue.reclaim(except: held, as: options.name)
        state.withLock { $0.needsReclaim = false }
    }

    private func take(
        _ reservation: Reservation, _ demands: [LaneDemand], since start: MonotonicTime, _ readers: inout JobReaders
    ) {
        state.withLock { $0.core.reserved(reservation, asked: demands, since: start, at: .now) }
        var jobs = reservation.jobs.map(WorkerCore.ReservedJob.init)[...]
        while !jobs.isEmpty {
            let (admitted, tenants, reloads) = state.withLock { state in
                (state.core.admit(&jobs, at: .now), state.tenants, state.reloads)
            }
            guard !admitted.isEmpty else { continue }
            let lines = readers.lines(of: admitted, tenants, reloads: reloads)
            state.withLock { $0.core.take(admitted, lines: lines, at: .now) }
            pump()
        }
        if state.withLock({ $0.core.hasEnded }) { settling.raise() }
    }

    /// Jobs came while the worker was told to stop.
    private func handBackAfterStop() async {
        let released = state.withLock { $0.core.drain(at: .now) }
        settling.raise()
        await release(released)
    }

    /// Moves what is due, where a worker runs once and holds nothing.
    ///
    /// - Returns: Whether there was something.
    private func promoteOnce() async throws(QueueError) -> Bool {
        guard options.settings.isOnce, state.withLock({ $0.core.isIdle }) else { return false }
        return try await queue.promote(limit: 200) > 0
    }

    /// Nothing was ready. Waits for jobs, or for space in the window.
    ///
    /// - Returns: Whether the worker ends, because it is to run once and nothing is left.
    private func waitOrEnd(_ question: LaneWatch.Question) async throws(QueueError) -> Bool {
        if options.settings.isOnce, state.withLock({ $0.core.isIdle }) {
            let status = try await queue.status()
            let lanes = status.lanes.filter { options.settings.lanes.names.contains($0.name) }
            if lanes.allSatisfy({ $0.unsettled == 0 }), state.withLock({ $0.core.isIdle }) {
                stop(within: .seconds(5))
                return true
            }
        }
        guard state.withLock({ $0.watch.wasEmpty(question) }) else { return false }
        waiting.raise()
        await reserving.wait()
        return false
    }

    /// Waits for jobs in the lanes that were empty, and wakes the reserving loop.
    func waitLoop() async {
        var failures = 0
        while !isStopping {
            await waiting.wait()
            let lanes = state.withLock { $0.watch.begin() }
            guard !lanes.isEmpty, !isStopping else { continue }
            var failure: QueueError?
            do throws(QueueError) {
                try await queue.waitForJobs(in: lanes, atMost: .seconds(1))
            } catch {
                failure = error
            }
            state.withLock { $0.watch.end() }
            failures = failure == nil ? 0 : failures + 1
            if let failure, failure.code != .cancelled { await pause(failures) }
            reserving.raise()
        }
    }

    // MARK: Settling

    /// Settles until it is cancelled, or the worker stops and nothing can come any more.
    func settleLoop() async {
        var failures = 0
        while !Task.isCancelled {
            let settlements = state.withLock { $0.core.takeSettlements(Worker.settlementsInBatch, at: .now) }
            guard !settlements.isEmpty else {
                if state.withLock({ $0.hasReservedAll && $0.core.isIdle }) { return }
                await settling.wait()
                continue
            }
            do throws(QueueError) {
                let results = try await queue.settle(settlements, resultsKept: options.resultsKept)
                failures = 0
                let hasRefused = state.withLock { state in
                    state.core.settled(results)
                    return state.core.hasRefused
                }
                if !hasRefused { found(.settling) }
                reserving.raise()
            } catch {
                // A full engine refuses what writes something, and takes the rest.
                let isRefused = !error.isTemporary || error.code == .full
                state.withLock { $0.core.settlingFailed(isRefused: isRefused) }
                lost(error, .settling)
                failures += 1
                await pause(failures)
            }
        }
    }

    // MARK: Time

    /// Leases, scheduled jobs, and what waits for a time.
    func clockLoop() async {
        var last = ContinuousClock.now
        while !Task.isCancelled {
            guard (try? await Task.sleep(for: Worker.tick)) != nil else { return }
            await extendLeases()
            pump()
            guard ContinuousClock.now - last >= Worker.period else { continue }
            last = .now
            state.withLock { $0.watch.askAll() }
            reserving.raise()
            if !isStopping { await promote() }
            if state.withLock({ $0.core.hasEnded }) { settling.raise() }
        }
    }

    private func extendLeases() async {
        let start = MonotonicTime.now
        let jobs = state.withLock { $0.core.leasesToExtend(at: start) }
        guard !jobs.isEmpty else { return }
        var lost: [JobID] = []
        do throws(QueueError) {
            for part in stride(from: 0, to: jobs.count, by: 1000) {
                lost += try await queue.extend(
                    Array(jobs[part..<min(part + 1000, jobs.count)]), lease: options.settings.lease, as: options.name)
            }
        } catch {
            return self.lost(error)
        }
        state.withLock { $0.core.extended(jobs, lost: lost, start: start) }
    }

    private func promote() async {
        do throws(QueueError) {
            for _ in 0..<10 where try await queue.promote(limit: 200) < 200 { break }
            found(.moving)
        } catch {
            lost(error, .moving)
        }
    }

    func rateLoop() async {
        guard options.settings.rate != nil || state.withLock({ $0.tenants.contains { $0.settings.rate != nil } }) else {
            return
        }
        while (try? await Task.sleep(for: .milliseconds(10))) != nil {
            let demands = state.withLock { $0.core.rateDemands(at: .now) }
            guard !demands.isEmpty else {
                forgetLostLimits()
                continue
            }
            var grants: [RateGrant]?
            do throws(QueueError) {
                grants = try await queue.take(demands)
                found(.limiting)
            } catch {
                lost(error, .limiting)
            }
            state.withLock { $0.core.granted(demands, grants, at: .now) }
            pump()
        }
    }

    // MARK: The engine

    private func lost(_ error: QueueError, _ work: QueueWork = .reserving) {
        guard error.code != .cancelled, error.code != .closed else { return }
        let isOutage = Worker.isOutage(error, of: work)
        let (isNew, isBack) = state.withLock { state in
            let former = state.lost.updateValue(error, forKey: work)
            let outages = state.lost.filter { Worker.isOutage($0.value, of: $0.key) }
            guard isOutage else {
                // The engine can be had again, though it does not do what it was asked.
                let ended = former.map { Worker.isOutage($0, of: work) && state.toldLosses.contains($0.code) } ?? false
                if ended { state.toldLosses.formIntersection(outages.values.map(\.code)) }
                return (former?.code != error.code, ended && outages.isEmpty)
            }
            let isKnown =
                outages.contains { $0.key != work && $0.value.code == error.code }
                || former.map { $0.code == error.code && Worker.isOutage($0, of: work) } ?? false
            if !isKnown { state.toldLosses.insert(error.code) }
            return (!isKnown, false)
        }
        if isBack { notice(.queueFound) }
        guard isNew else { return }
        notice(
            isOutage
                ? .queueLost(error)
                : .warning("\(error.detail); until this is corrected, scheduled jobs stay for later"))
    }

    /// The engine has answered.
    private func found(_ work: QueueWork = .reserving) {
        let isBack = state.withLock { state in
            let ends: [QueueWork] = work == .settling ? [.settling, .reserving] : [work]
            let ended = ends.compactMap { end -> QueueError? in
                guard let error = state.lost.removeValue(forKey: end) else { return nil }
                return Worker.isOutage(error, of: end) ? error : nil
            }
            // One outage is told once, though moving and limiting meet it too and are tried at other times.
            for other in [QueueWork.moving, .limiting] {
                guard !ended.isEmpty, let error = state.lost[other] else { continue }
                if error.isTemporary || ended.contains(where: { $0.code == error.code }) { state.lost[other] = nil }
            }
            guard state.lost[.settling] == nil else { return false }
            // Also where moving was the first that succeeded again.
            let wasTold = ended.contains { state.toldLosses.contains($0.code) }
            for error in ended { state.toldLosses.remove(error.code) }
            state.toldLosses.formIntersection(state.lost.values.map(\.code))
            return wasTold
        }
        if isBack { notice(.queueFound) }
    }

    /// With nothing to send, no limit is asked for again, and a failure that was temporary would be told as one of now.
    private func forgetLostLimits() {
        let isOver = state.withLock { state in
            state.lost.count == 1 && state.lost[.limiting]?.isTemporary == true && state.core.isIdle
        }
        if isOver { found(.limiting) }
    }

    /// Waits longer after each failure, up to five seconds, and not longer than the task runs.
    private func pause(_ failures: Int, untilStop: Bool = false) async {
        let end = ContinuousClock.now + min(.milliseconds(100) * (1 << min(failures - 1, 6)), .seconds(5))
        while ContinuousClock.now < end, !(untilStop && isStopping) {
            guard (try? await Task.sleep(for: Worker.tick)) != nil else { return }
        }
    }
}
