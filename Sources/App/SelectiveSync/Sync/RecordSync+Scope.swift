import PushDispatch

// Which records belong on the device.
extension RecordSync {
    /// Changes the filter of an object while the app runs, for example after the user has got another territory. The next
    /// regular sync, or the one that is running, fetches what is missing and removes what no longer matches, except for
    /// records with unsent edits. Answers that were fetched with the former filter are dropped. The filter ends with the process
    /// and with the log-in of another user.
    public func setFilter(_ filter: RecordFilter?, of name: String) {
        guard var object = scopes.objects[name] else {
            onEvent(.unknownObject(name))
            return
        }
        object.filter = filter
        replace(object)
    }

    /// Changes the settings of an object that this sync has.
    func replace(_ object: SyncObject) {
        guard let former = scopes.objects[object.name] else { return }
        scopes.objects[object.name] = object
        core.replace(object)
        if former.filter != object.filter { scopes.numbers[object.name, default: 0] += 1 }
    }

    /// Makes the next regular sync of an object, or the one that is running, fetch all its records again and compare all ids.
    /// The records stay until then, and unsent edits stay in any case.
    ///
    /// - Throws: What the store throws. Nothing has changed then.
    public func resync(_ name: String) async throws {
        guard scopes.objects[name] != nil else {
            onEvent(.unknownObject(name))
            return
        }
        let session = sessions.current
        try await inOrder {
            guard sessions.isCurrent(session) else { return }
            var batch = MergeBatch(name, [], user: session.user)
            batch.progress = SyncProgress()
            _ = try await store.merge(batch)
            scopes.numbers[name, default: 0] += 1
        }
    }

    /// Notes in the store that records come without fields which an earlier version of the app asked for. A later version that
    /// asks for them again would otherwise take it that all records have them, and the regular sync would not fetch them.
    ///
    /// Selective fetches and uploads call it before their first request in a process. A regular sync notes its fields itself.
    func narrowScope(of name: String) async throws {
        guard let fields = scopes.objects[name]?.scope.fields, !scopes.narrowed.contains(name) else { return }
        let session = sessions.current
        func former(_ progress: SyncProgress) -> [String]? {
            progress.scope.flatMap { Set($0.fields).isSubset(of: fields) ? nil : $0.fields }
        }
        // Not in order, so that a request does not wait for a slow store where nothing is to be noted.
        let progress = try await store.progress(of: name)
        if former(progress) != nil {
            try await inOrder {
                var progress = try await store.progress(of: name)
                guard sessions.isCurrent(session), let former = former(progress) else { return }
                progress.scope?.fields = former.filter(fields.contains)
                // No pass has ended now, so no hint is served.
                progress.served = nil
                var batch = MergeBatch(name, [], user: session.user)
                batch.progress = progress
                batch.syncID = "scope"
                _ = try await store.merge(batch)
            }
        }
        if sessions.isCurrent(session) { scopes.narrowed.insert(name) }
    }
}
