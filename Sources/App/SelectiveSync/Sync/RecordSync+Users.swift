import PushDispatch

extension RecordSync {
    /// Makes `user` the owner of the store. Hints and answers for another user are dropped.
    ///
    /// - Parameter objects: The objects with the filters of this user, which count before the first request. Nil: those of the
    ///   initializer for another user than before, and no change for the same one.
    /// - Throws: What the store throws, for example for edits that were never sent. Nothing has changed then.
    public func logIn(_ user: String, discardingEdits: Bool = false, objects: [SyncObject]? = nil) async throws {
        sessions.beginChange()
        defer { endUserChange() }
        try await inOrder {
            let former = try await store.user()
            // A store without an owner keeps all that is in it.
            let isOther = former != nil && former != user
            // Even if the store refuses the log-in: what is being read from it now may belong to either user.
            if isOther { sessions.endCurrent() }
            try await store.logIn(user, discardingEdits: discardingEdits)
            sessions.loggedIn(user)
            if isOther { reset() }
            let isNew = isOther || lastUser != nil && lastUser != user
            for object in objects ?? (isNew ? scopes.configured : []) { replace(object) }
            lastUser = user
        }
    }

    /// Drops the waiting hints, in memory and in the store. The records stay, and so do the hints for records that no
    /// regular sync would bring if the same user came back.
    ///
    /// - Parameters:
    ///   - erasing: Deletes everything in the store for good: records, edits, conflicts, hints, progress and the owner.
    ///   - discardingEdits: Only with `erasing`: whether edits that were never sent may be deleted too.
    /// - Throws: `SyncStoreError.unsentEdits` if edits would be lost; nothing has changed then, and the user is still logged
    ///   in. After any other error the user is logged out and the store may still hold the records: call it again.
    public func logOut(erasing: Bool = false, discardingEdits: Bool = false) async throws {
        sessions.beginChange()
        defer { endUserChange() }
        guard !erasing else { return try await erase(discardingEdits: discardingEdits) }
        reset()
        sessions.loggedOut()
        try await inOrder {
            // A log-in that was in progress may have ended meanwhile.
            sessions.loggedOut()
            try await store.forgetAll()
            reset()
        }
    }

    private func erase(discardingEdits: Bool) async throws {
        try await inOrder {
            do {
                try await store.erase(discardingEdits: discardingEdits)
            } catch let error as SyncStoreError {
                throw error
            } catch {
                endForGood()
                throw error
            }
            endForGood()
        }
    }

    /// Nothing that is in progress may reach the store any more.
    private func endForGood() {
        sessions.loggedOut()
        reset()
    }

    private func endUserChange() {
        sessions.endChange()
        pump(at: clock.now())
    }

    private func reset() {
        sessions.reset()
        uploadRetries = UploadRetries()
        let (updates, requests) = core.reset()
        loaded = [:]
        scopes.narrowed = []
        for request in requests { fetches.remove(request)?.cancel() }
        deliver(updates)
    }
}
