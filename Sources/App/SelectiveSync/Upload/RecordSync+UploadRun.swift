import PushDispatch

/// The calls of one upload.
struct UploadRun<Uploader: RecordUploader>: Sendable {
    let pass: UploadPass
    let uploader: Uploader
    let store: any UploadStore
    let session: UserSession
    /// The store's when the upload started.
    let generation: StoreGeneration
    let stopAt: DispatchMoment

    var object: String { pass.object.name }
}

extension RecordSync {
    /// - Parameter keys: The records to send; nil for all with edits.
    /// - Returns: The records to send once more; nil if there are none.
    func upload(
        _ keys: Set<RecordKey>?, _ run: UploadRun<some RecordUploader>, _ report: inout UploadReport
    ) async throws -> Set<RecordKey>? {
        var again = UploadRepeats(isFirst: keys == nil)
        let maximumWrites = type(of: run.uploader).maximumWrites
        try await narrowScope(of: run.object)
        let due = try await dueRecords(keys, run, &report)
        let (failed, others) = due.divided { uploadRetries.failures(of: $0.key, run.object) > 0 }
        for portion in run.pass.portions(of: others, maximumWrites: maximumWrites) + failed.map({ [$0] }) {
            do {
                guard try await mergeCopies(of: portion, run, &report) else { return nil }
            } catch let error as FetchError where portion.count == 1 && error.concernsOneCall {
                try await giveUp(portion[0], error, run, &report)
                try goOn(after: error, run, &report, &again)
                continue
            }
            for call in run.pass.calls(for: portion, maximumWrites: maximumWrites) {
                guard timeLeft(run, &report) != nil else { return nil }
                do {
                    try await send(call, run, &report, &again)
                } catch let error as FetchError {
                    try goOn(after: error, run, &report, &again)
                }
            }
        }
        // Last, because one that has no answer ends the pass.
        for record in due where run.pass.isUnknown(record) {
            guard timeLeft(run, &report) != nil else { return nil }
            do {
                try await lookUp(record, run, &report, &again)
            } catch let error as FetchError {
                try await giveUp(record, error, run, &report)
                try goOn(after: error, run, &report, &again)
            }
        }
        report.waiting = again.waiting.sorted { $0.description < $1.description }
        return again.keys
    }

    /// The records to send, those last whose uploads have failed most often.
    private func dueRecords(
        _ keys: Set<RecordKey>?, _ run: UploadRun<some RecordUploader>, _ report: inout UploadReport
    ) async throws -> [LocalRecord] {
        let dirty = try await run.store.dirtyRecords(of: run.object)
        uploadRetries.keep(Set(dirty.map(\.key)), of: run.object)
        let now = clock.now()
        let (due, putOff) = dirty.filter { keys?.contains($0.key) ?? true }
            .divided { uploadRetries.isDue($0, of: run.object, at: now) }
        report.refuse(putOff.map(\.key))
        // Stable: the oldest of those that have failed equally often comes first.
        return Dictionary(grouping: due) { uploadRetries.failures(of: $0.key, run.object) }
            .sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// Puts a record off whose own call has failed.
    private func giveUp(
        _ record: LocalRecord, _ error: FetchError, _ run: UploadRun<some RecordUploader>,
        _ report: inout UploadReport
    ) async throws {
        guard error.code != .cancelled, sessions.isCurrent(run.session) else { return }
        uploadRetries.failed(record, of: run.object, at: clock.now(), waits: error.concernsOneCall)
        guard error.concernsOneCall else { return }
        report.refuse([record.key])
        let reason = "\(error.code): \(error.detail)"
        _ = try await store {
            try await run.store.uploaded(record, .unknown(reason), of: run.object, in: run.generation)
        }
    }

    /// Goes on with the other calls after one that has failed by itself.
    ///
    /// - Throws: The error, if it concerns all calls, or if several have failed.
    private func goOn(
        after error: FetchError, _ run: UploadRun<some RecordUploader>, _ report: inout UploadReport,
        _ again: inout UploadRepeats
    ) throws {
        again.failedCalls += 1
        guard error.concernsOneCall, again.failedCalls < UploadRepeats.maximumFailedCalls else { throw error }
        onEvent(.uploadFailed(object: run.object, error))
        report.error = report.error ?? error
    }

    /// Nil where no request may start any more, because of the time or because the user has changed.
    private func timeLeft(_ run: UploadRun<some RecordUploader>, _ report: inout UploadReport) -> Int64? {
        let left = run.stopAt.milliseconds(since: clock.now())
        if left > 0, !Task.isCancelled, sessions.allowsRequests, sessions.isCurrent(run.session) { return left }
        report.state = .stopped
        return nil
    }

    /// Performs a change of the store.
    ///
    /// - Returns: Nil if the store holds another user's records by now.
    private func store<Value>(_ change: () async throws -> Value) async throws -> Value? {
        do {
            return try await inOrder { try await change() }
        } catch SyncStoreError.otherUser {
            return nil
        }
    }

    /// Reads the server's versions and merges them into the edits.
    ///
    /// - Returns: False if there is no time for it.
    private func mergeCopies(
        of records: [LocalRecord], _ run: UploadRun<some RecordUploader>, _ report: inout UploadReport
    ) async throws -> Bool {
        guard let left = timeLeft(run, &report) else { return false }
        guard let request = run.pass.copies(of: records, timeoutMilliseconds: left) else { return true }
        report.requests += 1
        let sequence = concurrentAnswers.beginRequest()
        defer { concurrentAnswers.endRequest(sequence) }
        let copies = try await run.uploader.fetch(request)
        try request.check(copies)
        let result = try await store {
            let (accepted, again) = concurrentAnswers.resolve(copies, of: run.object, from: sequence)
            var batch = MergeBatch(run.object, accepted, rules: run.pass.object.mergeRules)
            batch.generation = run.generation
            batch.rules.mode = run.pass.mode
            batch.syncID = "upload"
            batch.keep = again
            batch.isReadWithoutFilter = run.pass.object.filter != nil
            return try await run.store.merge(batch)
        }
        if let result { onEvent(.merged(object: run.object, result.counts)) }
        return true
    }

    /// Asks for a new record whose creation had no answer.
    private func lookUp(
        _ record: LocalRecord, _ run: UploadRun<some RecordUploader>, _ report: inout UploadReport,
        _ again: inout UploadRepeats
    ) async throws {
        guard let left = timeLeft(run, &report), let id = run.pass.object.externalID(of: record) else { return }
        report.requests += 1
        let found = try await run.uploader.find(
            RecordLookup(
                object: run.object, externalIDField: id.field, value: id.value, fields: run.pass.object.fields,
                timeoutMilliseconds: left))
        let step = UploadPass.Step(local: record, upload: .lookUp, write: nil)
        if let found {
            again.created(RecordKey.server(found.id))
            // It is found without the filter, so with one it is fetched once more, and removed if it is out of scope.
            let version = run.pass.object.filter == nil ? found : nil
            try await settle(step, .done(id: found.id, nil), version, run, &report, &again)
        } else {
            try await settle(step, .notFound, nil, run, &report, &again)
        }
    }

    private func send(
        _ keys: [RecordKey], _ run: UploadRun<some RecordUploader>, _ report: inout UploadReport,
        _ again: inout UploadRepeats
    ) async throws {
        let pass = run.pass
        let begun = try await store {
            try await run.store.change(keys, of: run.object, in: run.generation) { change in pass.begin(&change) }
        }
        var steps: [UploadPass.Step] = []
        for step in (begun ?? []).compactMap(\.self) {
            again.decided(step)
            switch step.upload {
            case .create, .update, .delete: steps.append(step)
            case .clean, .drop: report.uploaded += 1
            case .conflict:
                if !report.conflicts.contains(step.local.key) { report.conflicts.append(step.local.key) }
            case .refuse: report.refuse([step.local.key])
            case .wait, .lookUp, .nothing: break
            }
        }
        guard !steps.isEmpty else { return }
        // The store may have been slow. What was not sent is treated like an upload without an answer.
        guard sessions.allowsRequests, sessions.isCurrent(run.session) else {
            report.state = .stopped
            return
        }
        // The server may have made the changes, so their answers are stored even if the caller is cancelled.
        let (sent, counted, repeats) = (steps, report, again)
        let end = try await uncancelled { await self.exchange(sent, run, counted, repeats) }
        (report, again) = (end.report, end.again)
        if let failure = end.failure { throw failure }
    }

    /// How a call and the storing of its answers ended.
    private struct ExchangeEnd: Sendable {
        var report: UploadReport
        var again: UploadRepeats
        var failure: (any Error)?
    }

    private func exchange(
        _ steps: [UploadPass.Step], _ run: UploadRun<some RecordUploader>, _ report: UploadReport,
        _ again: UploadRepeats
    ) async -> ExchangeEnd {
        var end = ExchangeEnd(report: report, again: again)
        do {
            try await exchange(steps, run, &end.report, &end.again)
        } catch {
            end.failure = error
        }
        return end
    }

    private func exchange(
        _ steps: [UploadPass.Step], _ run: UploadRun<some RecordUploader>, _ report: inout UploadReport,
        _ again: inout UploadRepeats
    ) async throws {
        let left = run.stopAt.milliseconds(since: clock.now())
        report.requests += 1
        let replies: [UploadReply]
        do {
            replies = try await run.uploader.write(
                steps.compactMap(\.write), of: run.object, timeoutMilliseconds: left)
        } catch {
            if error.concernsOneCall {
                if steps.count == 1 {
                    try await giveUp(steps[0].local, error, run, &report)
                } else if sessions.isCurrent(run.session) {
                    // Which of them is the cause shows when each is sent alone.
                    let now = clock.now()
                    for step in steps { uploadRetries.failed(step.local, of: run.object, at: now, waits: false) }
                }
            }
            throw error
        }
        guard replies.count == steps.count else {
            throw FetchError(.badReply, advice: .retryLater, "\(replies.count) replies for \(steps.count) changes")
        }
        let versions = await versions(after: steps, replies, run, &report)
        var failure: FetchError?
        for (step, reply) in zip(steps, replies) {
            var version: ServerRecord?
            var reply = reply
            if case .done(let id, _) = reply {
                version = (id ?? step.local.key.id).flatMap { versions[$0] }
                // Without a date it is fetched again, and removed if it has left the scope.
                if version == nil, run.pass.object.filter != nil { reply = .done(id: id, nil) }
            }
            if case .unavailable(let error) = reply {
                failure = failure ?? error
                if error.concernsOneCall {
                    try await giveUp(step.local, error, run, &report)
                    continue
                }
            }
            if case .network = reply {
                failure = failure ?? FetchError(.network, advice: .retryLater, "no answer to a change")
            }
            try await settle(step, reply, version, run, &report, &again)
        }
        if let failure { throw failure }
    }

    /// Reads what the server has made of the changes. Without it a record is fetched once more later, and nothing worse.
    private func versions(
        after steps: [UploadPass.Step], _ replies: [UploadReply], _ run: UploadRun<some RecordUploader>,
        _ report: inout UploadReport
    ) async -> [RecordID: ServerRecord] {
        let ids = zip(steps, replies).compactMap { step, reply -> RecordID? in
            guard step.upload != .delete, case .done(let id, let date) = reply,
                date == nil || run.pass.object.filter != nil
            else { return nil }
            return id ?? step.local.key.id
        }
        let left = run.stopAt.milliseconds(since: clock.now())
        guard !ids.isEmpty, left > 0, sessions.allowsRequests, sessions.isCurrent(run.session) else { return [:] }
        report.requests += 1
        let sequence = concurrentAnswers.beginRequest()
        defer { concurrentAnswers.endRequest(sequence) }
        let request = run.pass.request(ids, left)
        guard let answers = try? await run.uploader.fetch(request), (try? request.check(answers)) != nil else {
            return [:]
        }
        let (accepted, _) = concurrentAnswers.resolve(answers, of: run.object, from: sequence)
        var versions: [RecordID: ServerRecord] = [:]
        for case .record(let record) in accepted { versions[record.id] = record }
        return versions
    }

    private func settle(
        _ step: UploadPass.Step, _ reply: UploadReply, _ version: ServerRecord?,
        _ run: UploadRun<some RecordUploader>, _ report: inout UploadReport, _ again: inout UploadRepeats
    ) async throws {
        let outcome = step.upload.outcome(of: reply, mode: run.pass.mode, version: version)
        let key = step.local.key
        switch outcome {
        case .clean where step.local.changes.contains(.deleted): break
        case .clean, .remove: report.uploaded += 1
        case .error, .unknown: report.refuse([key])
        case .leave, .createAnew, .failPass: break
        }
        // That a record does not exist yet says nothing about the call that creates it.
        if outcome != .failPass, step.upload != .lookUp || outcome != .leave {
            uploadRetries.ended(key, of: run.object)
        }
        again.ended(step, outcome)
        _ = try await store {
            try await run.store.uploaded(step.local, outcome, of: run.object, in: run.generation)
            // A fetch in flight may still show the record that is deleted now.
            if step.upload == .delete, outcome == .remove, let id = key.id {
                concurrentAnswers.deleted(id, of: run.object)
            }
        }
    }
}

/// The records that one more round of an upload sends.
struct UploadRepeats: Sendable {
    /// After so many failed calls a round ends: what answers is probably not the server.
    static let maximumFailedCalls = 3

    let isFirst: Bool
    var failedCalls = 0
    private(set) var waiting: Set<RecordKey> = []
    private var again: Set<RecordKey> = []
    private var hasCreated = false

    init(isFirst: Bool) { self.isFirst = isFirst }

    mutating func decided(_ step: UploadPass.Step) {
        if step.upload == .wait { waiting.insert(step.local.key) }
    }

    mutating func created(_ key: RecordKey) { again.insert(key) }

    mutating func ended(_ step: UploadPass.Step, _ outcome: UploadOutcome) {
        switch outcome {
        case .createAnew: again.insert(step.local.key)
        // The record has changed since it was read, and its new version is merged, once; or its creation never arrived.
        case .leave: if isFirst { again.insert(step.local.key) }
        case .clean(_?, _, _): hasCreated = true
        case .clean, .remove, .error, .unknown, .failPass: break
        }
    }

    /// Nil if there are none.
    var keys: Set<RecordKey>? {
        let keys = hasCreated ? again.union(waiting) : again
        return keys.isEmpty ? nil : keys
    }
}

extension Array {
    /// Those with a property, and the others, each in their order.
    func divided(by isFirst: (Element) -> Bool) -> ([Element], [Element]) {
        (filter(isFirst), filter { !isFirst($0) })
    }
}
