public import PushDispatch

/// How a regular sync of one object ended.
public struct RegularSyncReport: Hashable, Sendable {
    /// `done`, `stopped` (no time left, cancelled, or no user) or `failed`; `running` where another call is at it.
    public var state: SyncState
    /// Records stored anew, changed, marked or removed.
    public var changed = 0
    public var requests = 0
    public var error: FetchError?

    public init(_ state: SyncState) { self.state = state }
}

extension RecordSync {
    /// Brings one object up to date: what changed since the mark, what was deleted, and from time to time what is here
    /// and not there. Then what is left from pushes. This is the authority. A pass that was broken off is brought to its end first, and a new one
    /// follows.
    ///
    /// - Parameters:
    ///   - source: Usually the fetcher of this sync.
    ///   - now: The device's clock.
    ///   - stopAt: No request begins later; on the dispatch clock of this sync.
    ///   - checksGhosts: Whether all local ids are compared with the server's, also before that is due.
    public func regularSync(
        of name: String, from source: any RecordSource, policy: RegularSyncPolicy = RegularSyncPolicy(),
        now: ServerDate,
        until stopAt: DispatchMoment, checksGhosts: Bool = false
    ) async -> RegularSyncReport {
        await regularSync(
            of: name, from: source, policy: policy, now: now, until: stopAt, checksGhosts: checksGhosts
        ) { _ in }
    }

    /// - Parameter onStored: Told of each step with how many records it stored anew, changed, marked or removed.
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
        guard hasUser else { return RegularSyncReport(.stopped) }
        // What was asked for one user is not for the next, nor for the same one who came back to an empty store.
        let turn = self.turn
        let job = Job(object: name, turn: turn)
        guard syncing.insert(job).inserted else { return RegularSyncReport(.running) }
        defer { syncing.remove(job) }
        var report = RegularSyncReport(.failed)
        do {
            onEvent(.regularSync(object: name, .running))
            var isOld = true
            while isOld {
                // The hints up to this mark were there before the first page is asked for.
                let pending = try await store.pendingMark()
                let progress = try await store.progress(of: name)
                // What was broken off tells how things stood then; a new pass follows it.
                isOld = progress.pass != nil
                var isDue = checksGhosts
                if !isDue { isDue = try await hasOlderRecords(progress, of: name) }
                var pass = RegularSyncPass(
                    object, progress, pending: pending, policy: policy, now: now, checksGhosts: isDue)
                await run(&pass, object, source, policy, turn, stopAt, &report, onStored)
                guard isStill(turn) else {
                    report.state = .stopped
                    break
                }
                guard report.state != .done else { continue }
                pass.stopped(report.state)
                var batch = MergeBatch(name, [], user: turn.user)
                batch.progress = pass.progress
                try await inOrder { if isStill(turn) { _ = try await store.merge(batch) } }
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

    /// Whether there are records and no pass was ever finished: pushes may have brought them, also since a pass was broken
    /// off. They may be gone since, and no list of deletions has to reach back to them.
    private func hasOlderRecords(_ progress: SyncProgress, of name: String) async throws -> Bool {
        guard progress.ghostsChecked == nil else { return false }
        return try await !store.cleanRecords(of: name, after: nil, limit: 1).isEmpty
    }

    private func run(
        _ pass: inout RegularSyncPass, _ object: SyncObject, _ source: any RecordSource, _ policy: RegularSyncPolicy,
        _ turn: Turn, _ stopAt: DispatchMoment, _ report: inout RegularSyncReport,
        _ onStored: @Sendable (Int) async -> Void
    ) async {
        while true {
            let left = stopAt.milliseconds(since: clock.now())
            guard left > 0, !Task.isCancelled, hasUser, isStill(turn) else {
                report.state = .stopped
                return
            }
            let before = pass
            let sequence = overlap.begin()
            defer { overlap.end(sequence) }
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
                    // The store took its time.
                    guard hasUser, isStill(turn) else {
                        report.state = .stopped
                        return
                    }
                    let missing = try await missing(ids, of: object, source, left)
                    answers = pass.compared(ids, missing: missing)
                case .done: return
                }
                let changed = try await inOrder {
                    isStill(turn) ? try await store(answers, object, pass.progress, turn, sequence) : nil
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

    /// Whether the pass can go on another way.
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
        _ answers: [FetchedRecord], _ object: SyncObject, _ progress: SyncProgress, _ turn: Turn, _ sequence: Int
    ) async throws -> Int {
        let (believed, again) = overlap.sort(answers, of: object.name, from: sequence)
        var batch = MergeBatch(object.name, believed, rules: object.rules, user: turn.user)
        batch.progress = progress
        batch.keep = again
        batch.syncID = "regular"
        let result = try await store.merge(batch)
        onEvent(.merged(object: object.name, result.counts))
        return result.changed.count
    }
}
