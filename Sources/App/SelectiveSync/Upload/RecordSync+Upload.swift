public import PushDispatch

extension RecordSync {
    /// Sends the edits of one object that the server lacks (docs/reference/selective-sync.md 7.2). Usually before a regular sync.
    ///
    /// In the mode `leaveIfChanged` the server's copies are read first, and what has changed there since stays dirty and
    /// is told as a conflict. No answer from the server, or one that concerns all records alike, fails the pass; any
    /// other refusal stays with its record, and the rest goes on. What is dirty after the pass is sent with the next one.
    ///
    /// - Parameters:
    ///   - uploader: Usually the client of this sync.
    ///   - mode: Nil takes that of the object's rules.
    ///   - stopAt: No request begins later; on the dispatch clock of this sync.
    public func upload(
        _ name: String, to uploader: some RecordUploader, mode: MergeRules.Mode? = nil, until stopAt: DispatchMoment
    ) async -> UploadReport {
        var report = UploadReport(.failed)
        guard let object = objects[name] else {
            onEvent(.unknownObject(name))
            report.error = FetchError(.badRequest, advice: .stop, "no SyncObject describes this object")
            return report
        }
        guard let store = store as? any UploadStore else {
            report.error = FetchError(
                .badRequest, advice: .stop, "the store cannot list its edits: it is no UploadStore")
            return report
        }
        guard hasUser else {
            report.state = .stopped
            return report
        }
        let job = Job(object: name, turn: turn)
        guard uploading.insert(job).inserted else {
            report.state = .running
            return report
        }
        defer { uploading.remove(job) }
        let mode = mode ?? object.rules.mode
        do {
            let upload = UploadRun(
                pass: UploadPass(object, mode: mode), object: name, mode: mode, turn: job.turn,
                owner: try await store.user(), stopAt: stopAt)
            let again = try await run(upload, try await store.dirtyRecords(of: name), uploader, store, &report)
            // Changes of records that were gone at the server are sent once more, as new records.
            if report.error == nil, !again.isEmpty {
                let dirty = try await store.dirtyRecords(of: name).filter { again.contains($0.key) }
                _ = try await run(upload, dirty, uploader, store, &report)
            }
            if report.state != .stopped { report.state = report.error == nil ? .done : .failed }
        } catch let error as FetchError {
            onEvent(.uploadFailed(object: name, error))
            report.error = error
            report.state = error.code == .cancelled ? .stopped : .failed
        } catch {
            report.state = .failed
            onEvent(.storeFailed(object: name, errorType: "\(type(of: error))"))
        }
        onEvent(.uploaded(object: name, report))
        return report
    }

    private struct UploadRun {
        let pass: UploadPass
        let object: String
        let mode: MergeRules.Mode
        let turn: Turn
        /// Whose records they are.
        let owner: String?
        let stopAt: DispatchMoment
    }

    /// - Returns: Records to be sent once more as new ones.
    private func run(
        _ upload: UploadRun, _ dirty: [LocalRecord], _ uploader: some RecordUploader, _ store: any UploadStore,
        _ report: inout UploadReport
    ) async throws -> Set<RecordKey> {
        var again: Set<RecordKey> = []
        var rest = dirty[...]
        while !rest.isEmpty {
            // As many as one collection call tells of.
            let records = Array(rest.prefix(FetchRequest.maximumRecords))
            rest = rest.dropFirst(records.count)
            var copies: [FetchedRecord] = []
            guard let left = timeLeft(upload, &report) else { return again }
            if let request = upload.pass.copies(of: records, timeoutMilliseconds: left) {
                report.requests += 1
                copies = try await uploader.fetch(request)
                try request.check(copies)
            }
            let steps = upload.pass.steps(for: records, copies: copies)
            for step in steps where step.write == nil {
                try await settle(step, .done(id: nil, nil), upload, store, &report, &again)
            }
            for call in UploadPass.calls(for: steps, maximumWrites: type(of: uploader).maximumWrites) {
                guard timeLeft(upload, &report) != nil else { return again }
                try await send(call, upload, uploader, store, &report, &again)
            }
        }
        return again
    }

    /// Nil where no request may begin any more, or the user is another one.
    private func timeLeft(_ upload: UploadRun, _ report: inout UploadReport) -> Int64? {
        let left = upload.stopAt.milliseconds(since: clock.now())
        if left > 0, !Task.isCancelled, hasUser, isStill(upload.turn) { return left }
        report.state = .stopped
        return nil
    }

    private func send(
        _ steps: [UploadPass.Step], _ upload: UploadRun, _ uploader: some RecordUploader, _ store: any UploadStore,
        _ report: inout UploadReport, _ again: inout Set<RecordKey>
    ) async throws {
        let left = upload.stopAt.milliseconds(since: clock.now())
        report.requests += 1
        let replies = try await uploader.write(
            steps.compactMap(\.write), of: upload.object, timeoutMilliseconds: left)
        guard replies.count == steps.count else {
            throw FetchError(.badReply, advice: .retryLater, "\(replies.count) replies for \(steps.count) changes")
        }
        let dates = await dates(of: steps, replies, upload, uploader, &report)
        var failure: FetchError?
        for (step, reply) in zip(steps, replies) {
            var reply = reply
            if case .done(let id, nil) = reply, let date = (id ?? step.local.key.id).flatMap({ dates[$0] }) {
                reply = .done(id: id, date)
            }
            if case .unavailable(let error) = reply { failure = failure ?? error }
            if case .network = reply {
                failure = failure ?? FetchError(.network, advice: .retryLater, "no answer to a change")
            }
            try await settle(step, reply, upload, store, &report, &again)
        }
        if let failure { throw failure }
    }

    /// The stamps that the changes got, so that their echo is known. Without them the echo counts as news, no more.
    private func dates(
        of steps: [UploadPass.Step], _ replies: [UploadReply], _ upload: UploadRun, _ uploader: some RecordUploader,
        _ report: inout UploadReport
    ) async -> [RecordID: ServerDate] {
        let ids = zip(steps, replies).compactMap { step, reply -> RecordID? in
            guard step.upload != .delete, case .done(let id, nil) = reply else { return nil }
            return id ?? step.local.key.id
        }
        let left = upload.stopAt.milliseconds(since: clock.now())
        let request = upload.pass.stamps(of: ids, timeoutMilliseconds: left)
        guard !ids.isEmpty, left > 0, hasUser, isStill(upload.turn), !request.fields.isEmpty else { return [:] }
        report.requests += 1
        guard let answers = try? await uploader.fetch(request), (try? request.check(answers)) != nil else { return [:] }
        var dates: [RecordID: ServerDate] = [:]
        for case .record(let record) in answers { dates[record.id] = FetchedRecord.record(record).stamps.newest }
        return dates
    }

    private func settle(
        _ step: UploadPass.Step, _ reply: UploadReply, _ upload: UploadRun, _ store: any UploadStore,
        _ report: inout UploadReport, _ again: inout Set<RecordKey>
    ) async throws {
        let outcome = step.upload.outcome(of: reply, mode: upload.mode)
        let key = step.local.key
        switch outcome {
        case .clean, .remove: report.uploaded += 1
        case .leave where step.upload == .nothing: return
        case .leave: report.conflicts.append(key)
        case .createAnew: again.insert(key)
        case .error: report.refused.append(key)
        case .failPass: break
        }
        try await inOrder {
            // The store may be another user's by now, whose records are none of this upload's business.
            guard try await store.user() == upload.owner else { return }
            try await store.uploaded(step.local, outcome, of: upload.object)
            // A fetch that was under way meanwhile may still show what is deleted now.
            if step.upload == .delete, outcome == .remove, let id = key.id { overlap.deleted(id, of: upload.object) }
        }
    }
}
