import PushDispatch

// Which records belong on the device.
extension RecordSync {
    /// Changes the filter of an object while the app runs, for example after the user has got another territory. The next
    /// regular sync, or the one that is running, fetches what is missing and removes what no longer matches, except for
    /// records with unsent edits. Answers that were fetched with the former filter are dropped. The filter ends with the process
    /// and with the log-in of another user.
    public func setFilter(_ filter: RecordFilter?, of name: String) {
        guard var object = objects[name] else {
            onEvent(.unknownObject(name))
            return
        }
        object.filter = filter
        replace(object)
    }

    /// Changes the settings of an object that this sync has.
    func replace(_ object: SyncObject) {
        guard let former = objects[object.name] else { return }
        objects[object.name] = object
        core.replace(object)
        if former.filter != object.filter { scopeNumbers[object.name, default: 0] += 1 }
    }

    /// Makes the next regular sync of an object, or the one that is running, fetch all its records again and compare all ids.
    /// The records stay until then, and unsent edits stay in any case.
    ///
    /// - Throws: What the store throws. Nothing has changed then.
    public func resync(_ name: String) async throws {
        guard objects[name] != nil else {
            onEvent(.unknownObject(name))
            return
        }
        let session = sessions.current
        try await inOrder {
            guard sessions.isCurrent(session) else { return }
            var batch = MergeBatch(name, [], user: session.user)
            batch.progress = SyncProgress()
            _ = try await store.merge(batch)
            scopeNumbers[name, default: 0] += 1
        }
    }
}
