import PushDispatch

extension CRMSync {
    /// A user has logged in: takes the tokens, makes the user the owner of the store, registers the device and starts a refresh,
    /// which a later `refresh()` waits for. If another user was logged in, that one's registration is removed first.
    ///
    /// - Parameters:
    ///   - user: The user's id, or any other name that stays the same.
    ///   - discardingEdits: Whether to lose edits of another user that were not uploaded.
    /// - Throws: `SyncStoreError.unsentEdits` if the store holds such edits, `CRMSyncError.locked` if it cannot be opened,
    ///   `badRequest` for an instance URL that is not https: nothing has changed then. What the token storage throws: nobody is
    ///   logged in then.
    public func logIn(_ user: String, tokens: OAuthTokens, discardingEdits: Bool = false) async throws {
        guard SecureAddress.isSecure(tokens.instance) else {
            throw FetchError(.badRequest, advice: .stop, "the instance URL has to begin with https://")
        }
        let parts = try await open()
        try await changes {
            try await beginChange()
            do {
                try await parts.sync.logIn(
                    user, discardingEdits: discardingEdits, objects: configuration.objects(for: user))
            } catch {
                board.update { $0.lifecycle.changeRefused() }
                throw error
            }
            // The registration of another user is removed while that user's session still exists.
            if let registration, await registration.user.map({ $0 != user }) == true { await registration.logOut {} }
            do {
                var tokens = tokens
                tokens.user = user
                try await session.logIn(tokens)
            } catch {
                let failure: (any Error)?
                do {
                    try await parts.sync.logOut()
                    failure = nil
                } catch {
                    failure = error
                }
                await end(parts, after: failure)
                throw error
            }
            // It fails if the hints of another user cannot be removed; the store has removed them with the records.
            try? await parts.dispatcher.userChanged(to: .user(user))
            let lastSync = try? await lastSync(in: parts.store)
            board.update { state in
                (state.lastSync, state.problem) = (lastSync, nil)
                state.lifecycle.changed(to: user)
                state.lifecycle.syncIsDue()
            }
            await begin(user)
        }
    }

    /// Ends the session: stops what runs, removes hints and registration, then the tokens. Records and unsent edits stay for
    /// the same user unless they are erased. Every step is done even if another fails.
    ///
    /// - Parameters:
    ///   - erasing: Deletes everything in the store for good: records, edits, conflicts, hints, progress and the owner.
    ///   - discardingEdits: Only with `erasing`: whether edits that were never sent may be deleted too.
    /// - Throws: `SyncStoreError.unsentEdits` if edits would be lost; nothing has changed then, and the user is still logged
    ///   in. Otherwise the error of the first step that failed. Nobody is logged in even so; call it again to repeat the steps.
    public func logOut(erasing: Bool = false, discardingEdits: Bool = false) async throws {
        let parts: Parts
        do {
            parts = try await open()
        } catch {
            try await changes { try await endSession() }
            if erasing { throw error }
            return
        }
        try await changes {
            try await beginChange()
            var failure: (any Error)?
            do {
                try await parts.sync.logOut(erasing: erasing, discardingEdits: discardingEdits)
            } catch SyncStoreError.unsentEdits(let count) {
                board.update { $0.lifecycle.changeRefused() }
                throw SyncStoreError.unsentEdits(count)
            } catch {
                failure = error
            }
            if let error = await end(parts, after: failure) { throw error }
        }
    }

    /// The other steps of a log-out, after the store's.
    ///
    /// - Parameter failure: The error of the store.
    /// - Returns: The first error of all steps.
    @discardableResult
    private func end(_ parts: Parts, after failure: (any Error)? = nil) async -> (any Error)? {
        var first: (any Error)?
        func note(_ error: any Error) {
            first = first ?? error
            report(.logOutFailed(errorType: "\(type(of: error))"))
        }
        if let failure { note(failure) }
        do { try await parts.dispatcher.userChanged(to: .loggedOut) } catch { note(error) }
        do { try await endSession() } catch { note(error) }
        let lastSync = try? await lastSync(in: parts.store)
        board.update { state in
            state.lastSync = lastSync
            state.lifecycle.changed(to: nil)
        }
        return first
    }

    /// The registration is removed while the session still exists.
    private func endSession() async throws {
        guard let registration else { return try await session.logOut() }
        try await registration.logOut { try await session.logOut() }
    }

    private func beginChange() async throws(CRMSyncError) {
        switch board.update({ $0.lifecycle.beginChange() }) {
        case .begin: break
        case .waitForEdits: await withCheckedContinuation { waitingChange = $0 }
        case .refused: throw .changingUser
        }
        // A refresh for the next user must not wait for one of the former user.
        stopRefresh()
    }
}
