import OrgSimulator
import PushDispatch
import SelectiveSync

/// The user's edits and their uploads.
extension AppProcess {
    enum Edit: CaseIterable { case change, create, delete }

    func edit(_ edit: Edit) {
        guard device.account != nil else { return }
        run.count(.edit)
        Task(executorPreference: run.executor) { [self] in try? await apply(edit) }
    }

    private func apply(_ edit: Edit) async throws {
        let (run, name) = (run, device.name)
        let object = run.pick(AppProcess.objects) ?? "Account"
        let text = "edited \(run.nextNumber())"
        try await store.change { store, audit in
            guard edit != .create else {
                let key = RecordKey.newLocal(using: &run.random)
                guard store.record(key, of: object) == nil else { return }
                let record = LocalRecord(key, fields: ["Name": .string(text)], changes: .created)
                run.trace("\(name): the user creates \(key) of \(object)")
                store.put(record, of: object)
                return audit.edited(record, of: object)
            }
            let all = store.records(of: object).filter { !$0.isGone && !$0.changes.contains(.deleted) }
            guard var record = run.pick(all) else { return }
            run.trace("\(name): the user \(edit == .delete ? "deletes" : "edits") \(record.key)")
            if edit == .delete {
                record.changes.insert(.deleted)
            } else {
                record.fields["Name"] = .string(text)
                if !record.changes.contains(.created) { record.changes.insert(.updated) }
            }
            store.put(record, of: object)
            audit.edited(record, of: object)
        }
    }

    /// Uploads edits, one object after the other.
    ///
    /// - Parameter then: Receives the reports of all objects, unless the process ends before.
    func upload(
        overwrites: Bool, within milliseconds: Int64,
        then: @escaping @Sendable ([String: UploadReport]) -> Void = { _ in }
    ) {
        guard device.account != nil else { return }
        ready { [self] in
            start { [self] in then(await uploads(overwrites: overwrites, within: milliseconds)) }
        }
    }

    private func uploads(overwrites: Bool, within milliseconds: Int64) async -> [String: UploadReport] {
        var reports: [String: UploadReport] = [:]
        for object in AppProcess.objects {
            guard clock.isRunning else { break }
            run.trace("\(device.name) begins an upload of \(object)\(overwrites ? ", overwriting other changes" : "")")
            let report = await sync.upload(
                object, to: SimulatedUploader(source: source), mode: overwrites ? .overwrite : nil,
                until: clock.now().advanced(byMilliseconds: milliseconds))
            guard clock.isRunning else { break }
            run.trace("\(device.name)'s upload of \(object) is \(report.state.rawValue), \(report.uploaded) sent")
            reports[object] = report
        }
        return reports
    }
}
