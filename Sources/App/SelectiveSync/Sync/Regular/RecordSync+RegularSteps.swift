import PushDispatch

// The requests of a pass.
extension RecordSync {
    /// Nil where no request may start any more: the time is over, the network or the place of the app forbids it, or the user
    /// has changed.
    func timeLeft(_ run: RegularRun) -> Int64? {
        let left = run.stopAt.milliseconds(since: clock.now())
        guard left > 0, !Task.isCancelled, core.allowsFetches(of: run.object.name), sessions.allowsRequests,
            sessions.isCurrent(run.session)
        else { return nil }
        return left
    }

    /// Whether fields and filter of the object are those of the pass.
    func hasScope(of run: RegularRun) -> Bool { scopes.numbers[run.object.name] ?? 0 == run.scopeNumber }

    private func beginRequest(_ run: RegularRun, _ report: inout RegularSyncReport) throws -> Int64 {
        guard hasScope(of: run), let left = timeLeft(run) else { throw RegularRun.Stop() }
        report.requests += 1
        return left
    }

    /// Makes the next request of the pass, and fetches the records that its answer shows as changed.
    ///
    /// - Returns: The answers to store together with the progress of the pass.
    func step(
        _ pass: inout RegularSyncPass, _ run: RegularRun, _ sequence: Int, _ report: inout RegularSyncReport
    ) async throws -> [FetchedRecord] {
        let before = pass.progress
        let (object, source) = (run.object, run.source)
        switch pass.next {
        case .list(let after, let next):
            let left = try beginRequest(run, &report)
            let page = try await source.query(request(.ids, run, after: after, next: next, left))
            let listed = try pass.received(list: page)
            return try await bodies(of: listed, addsUnknown: true, before, run, sequence, &report)
        case .query(let after, let next):
            let left = try beginRequest(run, &report)
            let page = try await source.query(request(.records, run, after: after, next: next, left))
            return try pass.received(page).filter { object.isInScope($0.id) }
        case .departures(let after):
            let left = try beginRequest(run, &report)
            let page = try await source.query(request(.departures, run, after: after, next: nil, left))
            let listed = try pass.received(departures: page)
            return try await bodies(of: listed, addsUnknown: false, before, run, sequence, &report)
        case .deletions(let start, let end):
            let left = try beginRequest(run, &report)
            let deletions = try await source.deletions(
                DeletionsRequest(object: object.name, start: start, end: end, timeoutMilliseconds: left))
            return pass.received(deletions)
        case .compare(let after):
            let ids = try await store.cleanRecords(of: object.name, after: after, limit: run.policy.ghostBatch)
            let answers = ids.isEmpty ? [] : try await fetch(ids, fields: ["Id"], run, &report)
            return pass.compared(ids, missing: answers.filter { !$0.isPresent })
        case .done: return []
        }
    }

    private enum Content { case ids, records, departures }

    private func request(
        _ content: Content, _ run: RegularRun, after: ServerDate?, next: String?, _ left: Int64
    ) -> QueryRequest {
        let object = run.object
        return QueryRequest(
            object: object.name, fields: content == .records ? object.queryFields : ["Id", object.orderField],
            orderField: object.orderField, after: after, filter: content == .departures ? nil : object.filter,
            next: next, pageSize: run.policy.pageSize, timeoutMilliseconds: left)
    }

    /// Fetches the listed records of which the store lacks the version. All but the last batch are stored at once, so that a
    /// pass with little time gets on.
    ///
    /// - Parameters:
    ///   - addsUnknown: Whether records that the store does not have are fetched.
    ///   - before: The progress before the list.
    private func bodies(
        of listed: [ListedRecord], addsUnknown: Bool, _ before: SyncProgress, _ run: RegularRun, _ sequence: Int,
        _ report: inout RegularSyncReport
    ) async throws -> [FetchedRecord] {
        let object = run.object
        var seen: Set<RecordID> = []
        let candidates = listed.filter { object.isInScope($0.id) && seen.insert($0.id).inserted }
        guard !candidates.isEmpty else { return [] }
        let versions = try await store.versions(of: candidates.map(\.id), in: object.name)
        let outdated = candidates.filter { record in
            versions[record.id].map { record.isNewer(than: $0, orderField: object.orderField) } ?? addsUnknown
        }.map(\.id)
        var answers: [FetchedRecord] = []
        let size = max(1, run.policy.ghostBatch)
        for start in stride(from: 0, to: outdated.count, by: size) {
            if start > 0 { try await keep(answers, before, run, sequence, &report) }
            let batch = Array(outdated[start..<min(start + size, outdated.count)])
            answers = try await fetch(batch, fields: object.queryFields, run, &report)
        }
        return answers
    }

    private func fetch(
        _ ids: [RecordID], fields: [String], _ run: RegularRun, _ report: inout RegularSyncReport
    ) async throws -> [FetchedRecord] {
        let left = try beginRequest(run, &report)
        let request = FetchRequest(
            object: run.object.name, records: ids, fields: fields, filter: run.object.filter, timeoutMilliseconds: left)
        return try await fetchInScope(request, of: run.object, from: run.source)
    }

    /// Fetches records by their ids. Those outside the object's filter are answered as such.
    func fetchInScope(
        _ request: FetchRequest, of object: SyncObject, from fetcher: any RecordFetcher
    ) async throws(FetchError) -> [FetchedRecord] {
        let stopAt = clock.now().advanced(byMilliseconds: request.timeoutMilliseconds)
        let session = sessions.current
        let answers = try await fetcher.fetch(request)
        try request.check(answers)
        guard request.filter != nil else { return answers }
        var rest = request
        rest.records = answers.filter { !$0.isPresent }.map(\.id)
        var missing: Set<RecordID> = []
        if !rest.records.isEmpty, object.rules.missing == .mark {
            // A request now could ask for one user with the session of another.
            guard sessions.isCurrent(session), !sessions.isChanging else {
                throw FetchError(.cancelled, advice: .retryLater, "the user is being changed")
            }
            // A record that no longer exists is marked, one that has left the filter is removed.
            rest.fields = ["Id"]
            rest.filter = nil
            rest.timeoutMilliseconds = max(1, stopAt.milliseconds(since: clock.now()))
            let others = try await fetcher.fetch(rest)
            try rest.check(others)
            missing = Set(others.filter { !$0.isPresent }.map(\.id))
        }
        return answers.map { $0.isPresent || missing.contains($0.id) ? $0 : .outOfScope($0.id) }
    }
}

// Storing.
extension RecordSync {
    /// Stores answers and reports how many records they changed.
    ///
    /// - Throws: `RegularRun.Stop` where they belong to another user, or were fetched with another filter.
    func keep(
        _ answers: [FetchedRecord], _ progress: SyncProgress, _ run: RegularRun, _ sequence: Int,
        _ report: inout RegularSyncReport
    ) async throws {
        guard let changed = try await store(answers, progress, run, sequence: sequence) else {
            throw RegularRun.Stop()
        }
        report.changed += changed
        await run.onStored(changed)
    }

    /// - Parameter sequence: The number of the request that the answers are of.
    /// - Returns: The number of changed records; nil where nothing is stored, because user or scope have changed.
    func store(
        _ answers: [FetchedRecord], _ progress: SyncProgress, _ run: RegularRun, sequence: Int?
    ) async throws -> Int? {
        try await inOrder {
            guard sessions.isCurrent(run.session), hasScope(of: run) else { return nil }
            var batch = MergeBatch(run.object.name, answers, rules: run.object.mergeRules, user: run.session.user)
            batch.progress = progress
            if let sequence {
                let (accepted, again) = concurrentAnswers.resolve(answers, of: run.object.name, from: sequence)
                (batch.answers, batch.keep, batch.syncID) = (accepted, again, "regular")
            }
            let result = try await store.merge(batch)
            if sequence != nil { onEvent(.merged(object: run.object.name, result.counts)) }
            return result.changed.count
        }
    }
}
