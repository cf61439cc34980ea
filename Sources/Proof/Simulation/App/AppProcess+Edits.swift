import APNSModel
import PushDispatch
import SelectiveSync

/// What the user does on screens. A screen reads records, time passes, and then the user saves: meanwhile syncs, uploads and
/// other screens may have changed, uploaded or removed the record.
extension AppProcess {
    enum Edit {
        case change, append, create, family, link, delete, resolve, resolveAny, discard

        /// Frequent ones several times.
        static let all: [Edit] = [
            .change, .change, .append, .create, .family, .link, .delete, .resolve, .resolve, .resolveAny, .discard,
        ]
    }

    func edit(_ edit: Edit) {
        guard device.account != nil else { return }
        run.count(.edit)
        screen(edit)
        // Two screens with the same record, or a button that is tapped twice.
        if run.chance(10) { screen(edit) }
    }

    private func screen(_ edit: Edit) {
        guard let user = device.account else { return }
        let wait = run.pick([0, 0, 50, 3_000, 60_000]) ?? 0
        Task(executorPreference: run.executor) { [self] in
            do {
                try await apply(edit, after: Int64(wait), user)
            } catch {
                run.trace("\(device.name): an edit is refused: \(type(of: error))")
            }
        }
    }

    private func apply(_ edit: Edit, after wait: Int64, _ user: RecordID) async throws {
        let object = edit == .link ? "Interaction" : run.pick(AppProcess.objects) ?? "Account"
        let shown = await device.disk.records(of: object).filter { !$0.isGone && !$0.changes.contains(.deleted) }
        let conflict = run.pick(await device.disk.records(of: object).compactMap(\.conflict))
        let record = run.pick(shown)
        let parent = run.pick(await device.disk.records(of: "Account").filter { !$0.changes.contains(.deleted) })
        await clock.pass(wait)
        try clock.check()
        guard device.account == user else { return }
        switch edit {
        case .create: try await create(object, parent?.key)
        case .family: try await createFamily(after: wait, user)
        case .resolve: if let conflict { try await resolve(conflict, of: object) }
        case .resolveAny: if let conflict { try await resolveAny(conflict.key, of: object) }
        case .change, .append, .link, .delete, .discard:
            guard let record else { return }
            try await apply(edit, to: record, of: object, parent)
        }
    }

    private func apply(_ edit: Edit, to record: LocalRecord, of object: String, _ parent: LocalRecord?) async throws {
        switch edit {
        case .change: try await save(changes(of: object), to: record.key, of: object)
        case .append:
            // The new text is made from the one on the screen, which may be old by now.
            let text = "\(record.fields["Name"]?.string ?? "") edited \(run.nextNumber())".suffix(60)
            try await save(["Name": .string(String(text))], to: record.key, of: object)
        case .link:
            guard let parent else { return }
            try await save(["AccountId": .string(parent.key.description)], to: record.key, of: object)
        case .delete:
            run.trace("\(device.name): the user deletes \(record.key)")
            try await EditAudit.Action.$current.withValue(.delete) { try await store.delete(record.key, of: object) }
        case .discard:
            guard record.isDirty, run.chance(30) else { return }
            run.trace("\(device.name): the user discards the edits of \(record.key)")
            try await EditAudit.Action.$current.withValue(.discard) {
                try await store.discardEdits(record.key, of: object)
            }
        case .create, .family, .resolve, .resolveAny: break
        }
    }

    private func save(_ fields: [String: JSONValue], to key: RecordKey, of object: String) async throws {
        run.trace("\(device.name): the user edits \(fields.keys.sorted()) of \(key)")
        try await EditAudit.Action.$current.withValue(.edit) {
            try await store.edit(key, of: object) { $0.merge(fields) { _, new in new } }
        }
    }

    private func changes(of object: String) -> [String: JSONValue] {
        let other = object == "Account" ? "Type" : "Status"
        let fields = run.pick([["Name"], ["Name"], [other], ["Name", other]]) ?? ["Name"]
        return Dictionary(uniqueKeysWithValues: fields.map { ($0, .string("edited \(run.nextNumber())")) })
    }

    @discardableResult
    private func create(_ object: String, _ parent: RecordKey?) async throws -> RecordKey {
        var fields: [String: JSONValue] = ["Name": .string("edited \(run.nextNumber())")]
        if object == "Interaction", let parent { fields["AccountId"] = .string(parent.description) }
        let new = fields
        let seed = run.random.next()
        let key = try await EditAudit.Action.$current.withValue(.create) {
            var generator = SeededGenerator(seed: seed)
            return try await store.create(new, of: object, using: &generator)
        }
        run.trace("\(device.name): the user creates \(key) of \(object)")
        return key
    }

    /// A new record and two others that refer to it, with time between them: it may be uploaded or deleted meanwhile.
    private func createFamily(after wait: Int64, _ user: RecordID) async throws {
        run.count(.family)
        let parent = try await create("Account", nil)
        for _ in 0..<2 {
            await clock.pass(wait)
            try clock.check()
            guard device.account == user else { return }
            try await create("Interaction", parent)
        }
    }
}

// MARK: - Conflicts

extension AppProcess {
    /// - Parameter resolvesAll: Otherwise the user may decide about one field alone.
    func resolve(_ conflict: RecordConflict, of object: String, resolvesAll: Bool = false) async throws {
        let resolution = resolution(of: resolvesAll ? conflict.fields[...] : conflict.fields.prefix(1))
        run.trace("\(device.name): the user resolves the conflict of \(conflict.key): \(resolution.traced)")
        run.count(.resolution)
        try await EditAudit.Action.$current.withValue(.resolve(resolution, conflict)) {
            try await store.resolve(conflict, of: object, resolution)
        }
    }

    /// The user decides without having seen the server's version.
    private func resolveAny(_ key: RecordKey, of object: String) async throws {
        let resolution = run.pick([ConflictResolution.mine, .theirs]) ?? .mine
        run.trace("\(device.name): the user resolves any conflict of \(key): \(resolution.traced)")
        run.count(.resolution)
        try await EditAudit.Action.$current.withValue(.resolve(resolution, nil)) {
            try await store.resolve(key, of: object, resolution)
        }
    }

    private func resolution(of fields: ArraySlice<String>) -> ConflictResolution {
        let values = fields.map { ($0, JSONValue.string("edited \(run.nextNumber())")) }
        return run.pick([.mine, .theirs, .fields(Dictionary(uniqueKeysWithValues: values))]) ?? .mine
    }
}
