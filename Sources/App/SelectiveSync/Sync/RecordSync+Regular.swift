public import PushDispatch

extension RecordSync {
    /// Brings one object up to date: fetches what changed since the mark, then what was deleted, and compares all ids from
    /// time to time. Then it fetches what is left over from pushes. A pass that was interrupted is finished first, and a
    /// new one follows.
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
        guard let object = objects[name] else {
            onEvent(.unknownObject(name))
            var report = RegularSyncReport(.failed)
            report.error = FetchError(.badRequest, advice: .stop, "no SyncObject describes this object")
            return report
        }
        guard sessions.allowsRequests else { return RegularSyncReport(.stopped) }
        // The answers belong neither to the next user nor to the same one who came back to an empty store.
        let session = sessions.current
        guard let job = jobs.begin(.regularSync, name, session) else { return RegularSyncReport(.running) }
        defer { jobs.end(job) }
        var report = RegularSyncReport(.failed)
        do {
            onEvent(.regularSync(object: name, .running))
            var isOld = true
            while isOld {
                // The hints up to this mark are older than the first page, so this pass serves them.
                let pending = try await store.pendingMark()
                let progress = try await store.progress(of: name)
                // An interrupted pass shows the state of its beginning, so a new pass follows it.
                isOld = progress.pass != nil
                var isDue = checksGhosts
                if !isDue { isDue = try await hasOlderRecords(progress, of: name) }
                var pass = RegularSyncPass(
                    object, progress, pending: pending, policy: policy, now: now, checksGhosts: isDue)
                await run(&pass, object, source, policy, session, stopAt, &report, onStored)
                guard sessions.isCurrent(session) else {
                    report.state = .stopped
                    break
                }
                guard report.state != .done else { continue }
                pass.stopped(report.state)
                var batch = MergeBatch(name, [], user: session.user)
                batch.progress = pass.progress
                try await inOrder { if sessions.isCurrent(session) { _ = try await store.merge(batch) } }
                isOld = false
            }
        } catch {
            report.state = .failed
            onEvent(.storeFailed(object: name, errorType: "\(type(of: error))"))
        }
        onEvent(.regularSync(object: name, report.state))
        if report.state == .done { report.changed += await drain(name, until: stopAt).changed }
        return report
    }

    /// Whether there are records although no pass was ever finished. Pushes brought them, they may be deleted since, and the
    /// list of deletions need not reach back that far.
    private func hasOlderRecords(_ progress: SyncProgress, of name: String) async throws -> Bool {
        guard progress.ghostsChecked == nil else { return false }
        return try await !store.cleanRecords(of: name, after: nil, limit: 1).isEmpty
    }

    private func run(
        _ pass: inout RegularSyncPass, _ object: SyncObject, _ source: any RecordSource, _ policy: RegularSyncPolicy,
        _ session: UserSession, _ stopAt: DispatchMoment, _ report: inout RegularSyncReport,
        _ onStored: @Sendable (Int) async -> Void
    ) async {
        while true {
            let left = stopAt.milliseconds(since: clock.now())
            guard left > 0, !Task.isCancelled, sessions.allowsRequests, sessions.isCurrent(session) else {
                report.state = .stopped
                return
            }
            let before = pass
            let sequence = concurrentAnswers.beginRequest()
            defer { concurrentAnswers.endRequest(sequence) }
            do {
                report.requests += 1
                let answers: [FetchedRecord]
                switch pass.next {
                case .query(let after, let next):
                    let fields = ["Id"] + object.fields.filter { $0 != "Id" && $0 != object.orderField }
                    let page = try await source.query(
                        QueryRequest(
                            object: object.name, fields: fields + [object.orderField], orderField: object.orderField,
                            after: after, next: next, pageSize: policy.pageSize, timeoutMilliseconds: left))
                    answers = try pass.received(page).filter { object.isInScope($0.id) }
                case .deletions(let start, let end):
                    let deletions = try await source.deletions(
                        DeletionsRequest(object: object.name, start: start, end: end, timeoutMilliseconds: left))
                    answers = pass.received(deletions)
                case .list(let after):
                    let ids = try await store.cleanRecords(of: object.name, after: after, limit: policy.ghostBatch)
                    // The user may have changed while the store was reading.
                    guard sessions.allowsRequests, sessions.isCurrent(session) else {
                        report.state = .stopped
                        return
                    }
                    let missing = try await missing(ids, of: object, source, left)
                    answers = pass.compared(ids, missing: missing)
                case .done: return
                }
                let changed = try await inOrder {
                    sessions.isCurrent(session)
                        ? try await store(answers, object, pass.progress, session, sequence) : nil
                }
                guard let changed else {
                    report.state = .stopped
                    return
                }
                report.changed += changed
                await onStored(changed)
                if pass.progress.state == .done {
                    report.state = .done
                    return
                }
            } catch let error as FetchError {
                pass = before
                if recovers(from: error, &pass) { continue }
                pass.failed(error)
                report.error = error
                onEvent(.fetchFailed(object: object.name, error))
                report.state = error.code == .cancelled ? .stopped : .failed
                return
            } catch {
                pass = before
                onEvent(.storeFailed(object: object.name, errorType: "\(type(of: error))"))
                report.state = .failed
                return
            }
        }
    }

    /// Whether the pass can continue without this request.
    private func recovers(from error: FetchError, _ pass: inout RegularSyncPass) -> Bool {
        guard error.advice == .stop else { return false }
        switch pass.next {
        case .query(_, .some): return pass.nextRefused()
        case .deletions:
            pass.deletionsRefused()
            return true
        case .query, .list, .done: return false
        }
    }

    private func missing(
        _ ids: [RecordID], of object: SyncObject, _ source: any RecordSource, _ left: Int64
    ) async throws(FetchError) -> [RecordID] {
        guard !ids.isEmpty else { return [] }
        let request = FetchRequest(object: object.name, records: ids, fields: ["Id"], timeoutMilliseconds: left)
        let answers = try await source.fetch(request)
        try request.check(answers)
        return answers.filter { !$0.isPresent }.map(\.id)
    }

    private func store(
        _ answers: [FetchedRecord], _ object: SyncObject, _ progress: SyncProgress, _ session: UserSession,
        _ sequence: Int
    ) async throws -> Int {
        let (accepted, again) = concurrentAnswers.resolve(answers, of: object.name, from: sequence)
        var batch = MergeBatch(object.name, accepted, rules: object.rules, user: session.user)
        batch.progress = progress
        batch.keep = again
        batch.syncID = "regular"
        let result = try await store.merge(batch)
        onEvent(.merged(object: object.name, result.counts))
        return result.changed.count
    }
}
