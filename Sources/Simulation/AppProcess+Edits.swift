import OrgSimulator
import PushDispatch
import SelectiveSync

/// The user's edits, and their way up.
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
        try await gate.change { store, audit in
            guard edit != .create else {
                let key = RecordKey.newLocal(using: &run.random)
                guard store.record(key, of: object) == nil else { return }
                let record = LocalRecord(key, fields: ["Name": .string(text)], changes: .created)
                run.trace("\(name): the user makes \(key) of \(object)")
                store.put(record, of: object)
                return audit.edited(record)
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
            audit.edited(record)
        }
    }

    /// Sends what is dirty, one record after the other, by the rules of `Upload`.
    func upload() {
        guard device.account != nil else { return }
        Task(executorPreference: run.executor) { [self] in
            for object in AppProcess.objects {
                let dirty = await device.store.records(of: object).filter(\.isDirty)
                for record in dirty {
                    guard life.isAlive, try await upload(record, of: object) else { return }
                }
            }
        }
    }

    /// - Returns: Whether the next one is worth a try.
    private func upload(_ sent: LocalRecord, of object: String) async throws -> Bool {
        let mode = MergeRules.Mode.leaveIfChanged
        var copy = Upload.ServerCopy.unread
        if Upload.needsServerCopy(sent, mode: mode), let id = sent.key.id {
            let found = await link.send { (run, user) -> Upload.ServerCopy in
                guard let there = run.org.record(id, fields: ["Name", "LastModifiedDate"], for: user),
                    let date = there.lastModifiedDate
                else { return .deleted }
                return there.fields["Name"] == sent.fields["Name"] ? .same(date) : .modified(date)
            }
            guard let found else { return false }
            copy = found
        }
        let upload = Upload.decide(sent, server: copy, mode: mode)
        let reply = await reply(to: upload, sent, of: object)
        let outcome = upload.outcome(of: reply, mode: mode)
        if outcome == .failPass { return false }
        if outcome == .leave {
            run.count(.conflict)
            run.trace("\(device.name): \(sent.key) was changed at both ends and stays dirty")
        } else {
            run.count(.upload)
            run.trace("\(device.name) uploads \(sent.key)")
        }
        try await gate.change { store, audit in
            guard store.record(sent.key, of: object) != nil else { return }
            let mark = store.list.mark
            store.uploaded(sent, outcome, of: object)
            var key = sent.key
            if case .clean(let id?, _) = outcome { key = .server(id) }
            // The copy that a regular sync has come past is asked for as if a push had named it.
            if store.list.mark != mark, let id = key.id { audit.named([id], number: run.nextNumber()) }
            audit.settled(sent, now: store.record(key, of: object))
        }
        return true
    }

    private func reply(to upload: Upload, _ sent: LocalRecord, of object: String) async -> UploadReply {
        let fields: [String: JSONValue] = ["Name": sent.fields["Name"] ?? .null]
        switch upload {
        case .create:
            return await link.send { (run, user) in
                let id = run.org.create(object, fields, by: user, at: run.orgNow)
                return .done(id: id, id.flatMap { run.org.org[$0]?.lastModified })
            } ?? .network
        case .update:
            guard let id = sent.key.id else { return .notFound }
            return await link.send { (run, user) in
                guard let pushes = run.org.update([Org.Change(id, fields)], by: user, at: run.orgNow) else {
                    return .notFound
                }
                run.post.send(pushes)
                return .done(id: nil, run.org.org[id]?.lastModified)
            } ?? .network
        case .delete:
            guard let id = sent.key.id else { return .notFound }
            return await link.send { (run, user) in
                guard run.org.shows(id, to: user) else { return .notFound }
                run.org.delete(id, at: run.orgNow)
                return .done(id: nil, nil)
            } ?? .network
        case .drop, .leave, .settle, .nothing: return .done(id: nil, nil)
        }
    }
}
