extension PushDispatcher {
    /// Another user logs in, or the user logs out (`.loggedOut`). Handlers that run for the previous user are stopped, and
    /// the pending hints are dropped (`PendingStore.forgetAll()`). The same user again changes nothing.
    ///
    /// - Throws: The error of the pending store. Pushes for the previous user are ignored even so, but pending hints of
    ///   that user may be left: call it again.
    public func userChanged(to user: PushUser) async throws {
        guard !user.isSame(as: self.user) else { return try await forgetHints() }
        let isFirst = self.user == .unknown
        self.user = user
        // Before the first change the user was unknown and may have been this one, so nothing is dropped.
        if isFirst, user != .loggedOut { return }
        userNumber += 1
        for run in core.dropAll() {
            onEvent(.handlerStopped(.otherUser))
            tasks[run]?.task?.cancel()
            answer(core.answers(of: run), of: run)
        }
        mustForgetHints = true
        try await forgetHints()
    }

    private func forgetHints() async throws {
        guard mustForgetHints else { return }
        try await inOrder {
            // An earlier call has forgotten them. What was kept since then belongs to the current user.
            guard mustForgetHints else { return }
            let number = userNumber
            try await pending.forgetAll()
            if number == userNumber { mustForgetHints = false }
        }
    }
}
