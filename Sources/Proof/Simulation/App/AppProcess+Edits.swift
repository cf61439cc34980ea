import APNSModel
import OrgSimulator
import PushDispatch
import SelectiveSync

/// What the user does on screens. A screen reads records, time passes, and then the user saves: meanwhile syncs, uploads and
/// other screens may have changed, uploaded or removed the record.
extension AppProcess {
    enum Edit {
        case change, append, create, family, copy, link, delete, resolve, resolveAny, discard

        /// Frequent ones several times.
        static let all: [Edit] = [
            .change, .change, .append, .create, .family, .copy, .link, .delete, .resolve, .resolve, .resolve,
            .resolveAny,
            .discard, .discard,
        ]
    }

    func edit(_ edit: Edit) {
        guard device.account != nil else { return }
        run.count(.edit)
        screen(edit)
        // Two screens with the same record, or a button that is tapped twice.
        if run.chance(10) { screen(edit) }
    }

    /// The user edits or deletes a record, and the app uploads that at once.
    func editAndUpload(_ edit: Edit, of record: RecordID? = nil, within milliseconds: Int64) {
        screen(edit, of: record, after: 0) { [self] in upload(overwrites: false, within: milliseconds) }
    }

    /// - Parameters:
    ///   - record: The record that the user edits; nil for any.
    ///   - wait: How long the user looks at the screen before saving; nil for any time.
    private func screen(
        _ edit: Edit, of record: RecordID? = nil, after wait: Int? = nil, then: @escaping @Sendable () -> Void = {}
    ) {
        guard let user = device.account else { return }
        let wait = wait ?? run.pick([0, 0, 50, 3_000, 60_000]) ?? 0
        Task(executorPreference: run.executor) { [self] in
            do {
                // The screen has what the store holds now, whoever is logged in when its user saves.
                guard let shown = await shown(to: user) else { return }
                try await EditAudit.$screenUser.withValue(user) {
                    try await apply(edit, of: record, after: Int64(wait), shown)
                }
                then()
            } catch {
                run.trace("\(device.name): an edit is refused: \(type(of: error))")
            }
        }
    }

    /// The session of a screen; nil if the store holds another user's records.
    private func shown(to user: RecordID) async -> StoreSession? {
        let generation = await device.disk.perform { step in
            (try? step.user()) == user.description ? try? step.generation() : nil
        }
        return generation.map { StoreSession(store, $0) }
    }

    private func apply(_ edit: Edit, of id: RecordID?, after wait: Int64, _ session: StoreSession) async throws {
        let object =
            edit == .link
            ? "Interaction" : id.flatMap { run.org.org[$0]?.object } ?? run.pick(AppProcess.objects) ?? "Account"
        let shown = await device.disk.records(of: object).filter {
            !$0.isGone && !$0.changes.contains(.deleted) && (id == nil || $0.key.id == id)
        }
        let conflict = run.pick(await device.disk.records(of: object).compactMap(\.conflict))
        let record = run.pick(edit == .discard ? shown.filter(\.isDirty) : shown)
        let parent = run.pick(await device.disk.records(of: "Account").filter { !$0.changes.contains(.deleted) })
        if edit == .resolve, let conflict, wait > 0 { changeMeanwhile(conflict, of: object, within: wait) }
        await clock.pass(wait)
        try clock.check()
        switch edit {
        case .create: try await create(object, parent?.key, session)
        case .copy: try await createAndEditCopy(object, session)
        case .family: try await createFamily(after: wait, session)
        case .resolve: if let conflict { try await resolve(conflict, of: object, session) }
        case .resolveAny: if let conflict { try await resolveAny(conflict.key, of: object, session) }
        case .change, .append, .link, .delete, .discard:
            guard let record else { return }
            try await apply(edit, to: record, of: object, parent, session)
        }
    }

    private func apply(
        _ edit: Edit, to record: LocalRecord, of object: String, _ parent: LocalRecord?, _ session: StoreSession
    ) async throws {
        switch edit {
        case .change: try await save(changes(of: object), to: record.key, of: object, session)
        case .append:
            // The new text is made from the one on the screen, which may be old by now.
            let text = "\(record.fields["Name"]?.string ?? "") edited \(run.nextNumber())".suffix(60)
            try await save(["Name": .string(String(text))], to: record.key, of: object, session)
        case .link:
            guard let parent else { return }
            try await save(["AccountId": .string(parent.key.description)], to: record.key, of: object, session)
        case .delete:
            run.trace("\(device.name): the user deletes \(record.key)")
            try await EditAudit.Action.$current.withValue(.delete) { try await session.delete(record.key, of: object) }
        case .discard:
            guard record.isDirty, run.chance(50) else { return }
            run.trace("\(device.name): the user discards the edits of \(record.key)")
            try await EditAudit.Action.$current.withValue(.discard) {
                try await session.discardEdits(record.key, of: object)
            }
        case .create, .family, .copy, .resolve, .resolveAny: break
        }
    }

    private func save(
        _ fields: [String: JSONValue], to key: RecordKey, of object: String, _ session: StoreSession
    ) async throws {
        run.trace("\(device.name): the user edits \(fields.keys.sorted()) of \(key)")
        try await EditAudit.Action.$current.withValue(.edit) {
            try await session.edit(key, of: object) { $0.merge(fields) { _, new in new } }
        }
    }

    private func changes(of object: String) -> [String: JSONValue] {
        let other = object == "Account" ? "Type" : "Status"
        let fields = run.pick([["Name"], ["Name"], [other], ["Name", other]]) ?? ["Name"]
        return Dictionary(uniqueKeysWithValues: fields.map { ($0, .string("edited \(run.nextNumber())")) })
    }

    @discardableResult
    private func create(_ object: String, _ parent: RecordKey?, _ session: StoreSession) async throws -> RecordKey {
        var fields: [String: JSONValue] = ["Name": .string("edited \(run.nextNumber())")]
        if object == "Interaction", let parent { fields["AccountId"] = .string(parent.description) }
        let new = fields
        let seed = run.random.next()
        let key = try await EditAudit.Action.$current.withValue(.create) {
            var generator = SeededGenerator(seed: seed)
            return try await session.create(new, of: object, using: &generator)
        }
        run.trace("\(device.name): the user creates \(key) of \(object)")
        return key
    }

    /// A new record and two others that refer to it, with time between them: it may be uploaded or deleted meanwhile.
    private func createFamily(after wait: Int64, _ session: StoreSession) async throws {
        run.count(.family)
        let parent = try await create("Account", nil, session)
        for _ in 0..<2 {
            await clock.pass(wait)
            try clock.check()
            try await create("Interaction", parent, session)
        }
    }
}

// MARK: - What happens meanwhile

extension AppProcess {
    /// While a user thinks about a conflict, somebody else changes the field once more, and the device learns of it.
    private func changeMeanwhile(_ conflict: RecordConflict, of object: String, within milliseconds: Int64) {
        guard run.injectsFaults, run.chance(50), let field = conflict.fields.first, let id = conflict.key.id else {
            return
        }
        run.timeline.after(milliseconds / 4) { [weak self] in
            guard let self, let row = run.org.org[id] else { return }
            run.trace("somebody changes \(field) of \(id), which is in conflict")
            let change = Org.Change(id, [field: .string("changed \(run.nextNumber())")])
            run.pushService.send(run.org.update([change], by: row.owner, at: run.orgNow) ?? [])
            regularSync(checksGhosts: false, within: milliseconds / 2)
        }
    }

    /// A new record is uploaded and its answer is slow. Meanwhile a regular sync brings the record, and its user edits both.
    private func createAndEditCopy(_ object: String, _ session: StoreSession) async throws {
        let key = try await create(object, nil, session)
        device.slow.creations = 1
        upload(overwrites: false, within: 60_000)
        await clock.pass(3_000)
        regularSync(checksGhosts: false, within: 20_000)
        for _ in 0..<2 {
            await clock.pass(4_000)
            try clock.check()
            guard let copy = device.audit.edits.unanswered.first(where: { $0.key == key }) else { return }
            let isStored = await device.disk.records(of: object).contains { $0.key.id == copy.id }
            if isStored { run.count(.copyEdited) }
            for key in isStored ? [.server(copy.id), key] : [key] where run.chance(70) {
                try await save(changes(of: object), to: key, of: object, session)
            }
        }
    }
}

// MARK: - Conflicts

extension AppProcess {
    /// - Parameter resolvesAll: Otherwise the user may decide about one field alone.
    func resolve(
        _ conflict: RecordConflict, of object: String, _ session: StoreSession, resolvesAll: Bool = false
    ) async throws {
        let resolution = resolution(of: resolvesAll ? conflict.fields[...] : conflict.fields.prefix(1))
        run.trace("\(device.name): the user resolves the conflict of \(conflict.key): \(resolution.traced)")
        run.count(.resolution)
        try await EditAudit.Action.$current.withValue(.resolve(resolution, conflict)) {
            try await session.resolve(conflict, of: object, resolution)
        }
    }

    /// The user decides without having seen the server's version.
    private func resolveAny(_ key: RecordKey, of object: String, _ session: StoreSession) async throws {
        let resolution = run.pick([ConflictResolution.mine, .theirs]) ?? .mine
        run.trace("\(device.name): the user resolves any conflict of \(key): \(resolution.traced)")
        run.count(.resolution)
        try await EditAudit.Action.$current.withValue(.resolve(resolution, nil)) {
            try await session.resolve(key, of: object, resolution)
        }
    }

    private func resolution(of fields: ArraySlice<String>) -> ConflictResolution {
        let values = fields.map { field in
            (field, field == "AccountId" ? JSONValue.null : .string("edited \(run.nextNumber())"))
        }
        return run.pick([.mine, .theirs, .fields(Dictionary(uniqueKeysWithValues: values))]) ?? .mine
    }
}
