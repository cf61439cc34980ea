public import PushDispatch

extension RecordSync {
    /// Sends the edits of all objects that the server lacks. A new record goes up before those that refer to it. If new records
    /// refer to each other, one of them is created without that reference, which follows as an update.
    ///
    /// - Returns: The reports by object.
    public func upload(
        to uploader: some RecordUploader, mode: MergeRules.Mode? = nil, until stopAt: DispatchMoment
    ) async -> [String: UploadReport] {
        var reports: [String: UploadReport] = [:]
        var names = scopes.objects.keys.sorted()
        var broken: Set<RecordKey> = []
        while true {
            var uploaded = 0
            for name in names {
                let report = await upload(name, to: uploader, mode: mode, until: stopAt)
                uploaded += report.uploaded
                if reports[name] == nil { reports[name] = report } else { reports[name]?.add(report) }
            }
            names = names.filter { reports[$0]?.waiting.isEmpty == false && reports[$0]?.state == .done }
            guard !names.isEmpty else { return reports }
            guard uploaded == 0 else { continue }
            guard let (circle, name) = await findCircle(among: names, reports), broken.insert(circle.first).inserted
            else {
                return reports
            }
            let report = await upload(name, to: uploader, mode: mode, until: stopAt, first: circle)
            reports[name]?.add(report)
            guard report.uploaded > 0, report.state == .done else { return reports }
            if !names.contains(name) { names.append(name) }
        }
    }

    /// A circle among the new records that wait, with the object of the record that is created first.
    private func findCircle(
        among names: [String], _ reports: [String: UploadReport]
    ) async -> (circle: ReferenceCircle, object: String)? {
        guard let store = store as? any UploadStore else { return nil }
        var references: [RecordKey: Set<RecordKey>] = [:]
        var owners: [RecordKey: String] = [:]
        for name in names {
            guard let object = scopes.objects[name], let dirty = try? await store.dirtyRecords(of: name) else {
                continue
            }
            let waiting = Set(reports[name]?.waiting ?? [])
            for record in dirty where waiting.contains(record.key) && record.changes.contains(.created) {
                references[record.key] = LocalRecord.references(in: record.unsent(object.editable))
                owners[record.key] = name
            }
        }
        guard let circle = ReferenceCircle(in: references), let name = owners[circle.first] else { return nil }
        return (circle, name)
    }

    /// Sends the edits of one object that the server lacks (docs/reference/selective-sync.md 7.2), usually before a
    /// regular sync.
    ///
    /// In the mode `leaveIfChanged` the server's versions are read first and merged into the edits. Then only fields are sent
    /// that differ from the server's version. A record whose edits contradict that version stays dirty and is reported as a
    /// conflict. The pass fails if the server does not answer, or answers with an error that concerns all records. Any other
    /// refusal is kept with its record, and the pass goes on. The next pass sends what is still dirty. A record whose own call
    /// fails is sent last and alone from then on, and after a growing wait, so that it holds up no other one.
    ///
    /// - Parameters:
    ///   - uploader: Usually the client of this sync.
    ///   - mode: Nil uses the mode of the object's rules.
    ///   - stopAt: No request starts later; on the clock of this sync.
    public func upload(
        _ name: String, to uploader: some RecordUploader, mode: MergeRules.Mode? = nil, until stopAt: DispatchMoment
    ) async -> UploadReport {
        await upload(name, to: uploader, mode: mode, until: stopAt, first: nil)
    }

    private func upload(
        _ name: String, to uploader: some RecordUploader, mode: MergeRules.Mode?, until stopAt: DispatchMoment,
        first: ReferenceCircle?
    ) async -> UploadReport {
        var report = UploadReport(.failed)
        guard let object = scopes.objects[name] else {
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
        // A store refuses a cancelled task with an error of its own.
        guard !Task.isCancelled else {
            report.state = .stopped
            return report
        }
        do {
            var pass = UploadPass(object, mode: mode ?? object.rules.mode)
            pass.first = first
            let generation = try await store.generation()
            let run = UploadRun(
                pass: pass,
                uploader: job.session.user.map { uploader.limited(to: $0) } ?? uploader, store: store,
                session: job.session, generation: generation, stopAt: stopAt)
            // Otherwise the generation may be that of the next user.
            if sessions.isCurrent(job.session) {
                var again: Set<RecordKey>?
                repeat { again = try await upload(again, run, &report) } while again != nil
            } else {
                report.state = .stopped
            }
            if report.state != .stopped { report.state = report.error == nil ? .done : .failed }
        } catch let error as FetchError {
            onEvent(.uploadFailed(object: name, error))
            report.error = error
            report.state = error.code == .cancelled ? .stopped : .failed
        } catch is CancellationError {
            report.state = .stopped
        } catch {
            report.state = .failed
            onEvent(.storeFailed(object: name, errorType: "\(type(of: error))"))
        }
        onEvent(.uploaded(object: name, report))
        return report
    }
}
