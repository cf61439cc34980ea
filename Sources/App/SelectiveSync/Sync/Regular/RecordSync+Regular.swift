public import PushDispatch

extension RecordSync {
    /// Brings one object up to date: fetches what was committed late, what changed since the mark and what was deleted, and
    /// compares all ids from time to time. Then it fetches what is left over from pushes. A pass that was interrupted is
    /// finished first, and a new one follows.
    ///
    /// - Parameters:
    ///   - source: Usually the fetcher of this sync.
    ///   - now: The time of the device's clock.
    ///   - stopAt: No request starts later; on the clock of this sync.
    ///   - checksGhosts: Compares all local ids with the server's even if that is not due yet.
    public func regularSync(
        of name: String, from source: any RecordSource, policy: RegularSyncPolicy = RegularSyncPolicy(),
        now: ServerDate,
        until stopAt: DispatchMoment, checksGhosts: Bool = false
    ) async -> RegularSyncReport {
        await regularSync(
            of: name, from: source, policy: policy, now: now, until: stopAt, checksGhosts: checksGhosts
        ) { _ in }
    }

    /// - Parameter onStored: Called after each step with the number of records inserted, changed, marked or removed.
    func regularSync(
        of name: String, from source: any RecordSource, policy: RegularSyncPolicy, now: ServerDate,
        until stopAt: DispatchMoment, checksGhosts: Bool, onStored: @escaping @Sendable (Int) async -> Void
    ) async -> RegularSyncReport {
        guard scopes.objects[name] != nil else {
            onEvent(.unknownObject(name))
            var report = RegularSyncReport(.failed)
            report.error = FetchError(.badRequest, advice: .stop, "no SyncObject describes this object")
            return report
        }
        guard sessions.allowsRequests else { return RegularSyncReport(.stopped) }
        // The answers belong neither to the next user nor to the same one who came back to an empty store.
        let session = sessions.current
        let source = session.user.map { source.limited(to: $0) } ?? source
        guard let job = jobs.begin(.regularSync, name, session) else { return RegularSyncReport(.running) }
        defer { jobs.end(job) }
        var report = RegularSyncReport(.failed)
        do {
            onEvent(.regularSync(object: name, .running))
            var isUnfinished = true
            while isUnfinished, let object = scopes.objects[name] {
                let run = RegularRun(
                    object: object, source: source, policy: policy, session: session,
                    scopeNumber: scopes.numbers[name] ?? 0, stopAt: stopAt, onStored: onStored)
                // A store refuses a cancelled task with an error of its own.
                guard !Task.isCancelled else {
                    report.state = .stopped
                    break
                }
                // The hints up to this mark are older than the first page, so this pass serves them.
                let pending = try await store.pendingMark()
                let progress = try await store.progress(of: name)
                var isDue = checksGhosts
                if !isDue { isDue = try await hasOlderRecords(progress, of: name) }
                var pass = RegularSyncPass(
                    object, progress, pending: pending, policy: policy, now: now, checksGhosts: isDue)
                await perform(&pass, run, &report)
                guard sessions.isCurrent(session) else {
                    report.state = .stopped
                    break
                }
                if !hasScope(of: run) {
                    // The next pass begins with the new filter, or fetches everything.
                    isUnfinished = timeLeft(run) != nil
                    report.error = nil
                    if !isUnfinished { report.state = .stopped }
                    continue
                }
                isUnfinished = report.state == .done && pass.isResumed
                guard report.state != .done else { continue }
                pass.stopped(report.state)
                let last = pass.progress
                // Also for a pass that was cancelled.
                try await uncancelled { _ = try await self.store([], last, run, sequence: nil) }
            }
        } catch is CancellationError {
            report.state = .stopped
        } catch {
            report.state = .failed
            onEvent(.storeFailed(object: name, errorType: "\(type(of: error))"))
        }
        onEvent(.regularSync(object: name, report.state))
        if report.state == .done { report.changed += await drain(name, until: stopAt).changed }
        return report
    }

    /// Runs a step to its end even if the task of the caller is cancelled: a store may refuse a cancelled task.
    func uncancelled<Value: Sendable>(_ step: @Sendable @escaping () async throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            start {
                let result: Result<Value, any Error>
                do { result = .success(try await step()) } catch { result = .failure(error) }
                continuation.resume(with: result)
            }
        }
    }

    /// Whether there are records although no pass was ever finished. Pushes brought them, they may be deleted since, and the
    /// list of deletions need not reach back that far.
    private func hasOlderRecords(_ progress: SyncProgress, of name: String) async throws -> Bool {
        guard progress.ghostsChecked == nil else { return false }
        return try await !store.cleanRecords(of: name, after: nil, limit: 1).isEmpty
    }

    private func perform(
        _ pass: inout RegularSyncPass, _ run: RegularRun, _ report: inout RegularSyncReport
    ) async {
        while true {
            guard hasScope(of: run), timeLeft(run) != nil else {
                report.state = .stopped
                return
            }
            let before = pass
            let sequence = concurrentAnswers.beginRequest()
            defer { concurrentAnswers.endRequest(sequence) }
            do {
                let answers = try await step(&pass, run, sequence, &report)
                try await keep(answers, pass.progress, run, sequence, &report)
                if let received = pass.progress.pass?.step.received {
                    onEvent(.received(object: run.object.name, records: received.records, of: received.total))
                }
                if pass.progress.state == .done {
                    report.state = .done
                    return
                }
            } catch let error where error is RegularRun.Stop || error is CancellationError {
                pass = before
                report.state = .stopped
                return
            } catch let error as FetchError {
                pass = before
                if recovers(from: error, &pass) { continue }
                pass.failed(error)
                report.error = error
                onEvent(.fetchFailed(object: run.object.name, error))
                report.state = error.code == .cancelled ? .stopped : .failed
                return
            } catch {
                pass = before
                onEvent(.storeFailed(object: run.object.name, errorType: "\(type(of: error))"))
                report.state = .failed
                return
            }
        }
    }

    /// Whether the pass can continue without this request.
    private func recovers(from error: FetchError, _ pass: inout RegularSyncPass) -> Bool {
        guard error.advice == .stop || error.isUnknownRefusal else { return false }
        switch pass.next {
        case .list(_, .some), .query(_, .some): return pass.nextRefused()
        case .deletions:
            pass.deletionsRefused()
            return true
        case .list, .query, .departures, .compare, .done: return false
        }
    }
}

/// What the requests of one pass have in common.
struct RegularRun: Sendable {
    /// No time is left, or the user or the scope of the object has changed.
    struct Stop: Error {}

    let object: SyncObject
    let source: any RecordSource
    let policy: RegularSyncPolicy
    let session: UserSession
    /// The number of the object's scope when the pass started.
    let scopeNumber: Int
    let stopAt: DispatchMoment
    let onStored: @Sendable (Int) async -> Void
}
