public import PushDispatch

extension RecordSync {
    /// Sends the edits of one object that the server lacks (docs/reference/selective-sync.md 7.2), usually before a
    /// regular sync.
    ///
    /// In the mode `leaveIfChanged` the server's copies are read first. A record that has changed there stays dirty and is
    /// reported as a conflict. The pass fails if the server does not answer, or answers with an error that concerns all
    /// records. Any other refusal is kept with its record, and the pass goes on. The next pass sends what is still dirty.
    ///
    /// - Parameters:
    ///   - uploader: Usually the client of this sync.
    ///   - mode: Nil uses the mode of the object's rules.
    ///   - stopAt: No request starts later; on the clock of this sync.
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
                .badRequest, advice: .stop, "the store cannot list its edits: it is not an UploadStore")
            return report
        }
        guard sessions.allowsRequests else {
            report.state = .stopped
            return report
        }
        guard let job = jobs.begin(.upload, name, sessions.current) else {
            report.state = .running
            return report
        }
        defer { jobs.end(job) }
        let mode = mode ?? object.rules.mode
        do {
            let upload = UploadRun(
                pass: UploadPass(object, mode: mode), object: name, mode: mode, session: job.session,
                owner: try await store.user(), stopAt: stopAt)
            let again = try await run(upload, try await store.dirtyRecords(of: name), uploader, store, &report)
            // Edits of records that the server has deleted are sent once more, as new records.
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
        let session: UserSession
        /// The owner of the store when the upload started.
        let owner: String?
        let stopAt: DispatchMoment
    }

    /// - Returns: Records to send once more as new ones.
    private func run(
        _ upload: UploadRun, _ dirty: [LocalRecord], _ uploader: some RecordUploader, _ store: any UploadStore,
        _ report: inout UploadReport
    ) async throws -> Set<RecordKey> {
        var again: Set<RecordKey> = []
        var rest = dirty[...]
        while !rest.isEmpty {
            // As many as one collection call returns.
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

    /// Nil where no request may start any more, because of the time or because the user has changed.
    private func timeLeft(_ upload: UploadRun, _ report: inout UploadReport) -> Int64? {
        let left = upload.stopAt.milliseconds(since: clock.now())
        if left > 0, !Task.isCancelled, sessions.allowsRequests, sessions.isCurrent(upload.session) { return left }
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

    /// Reads the stamps that the changes have got, so that the same version coming down is recognised. Without them it
    /// counts as a change, and nothing worse.
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
        guard !ids.isEmpty, left > 0, sessions.allowsRequests, sessions.isCurrent(upload.session),
            !request.fields.isEmpty
        else { return [:] }
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
            // The store may belong to another user by now, whose records have nothing to do with this upload.
            guard try await store.user() == upload.owner else { return }
            try await store.uploaded(step.local, outcome, of: upload.object)
            // A fetch in flight may still show the record that is deleted now.
            if step.upload == .delete, outcome == .remove, let id = key.id {
                concurrentAnswers.deleted(id, of: upload.object)
            }
        }
    }
}
