extension SelectiveSync {
    /// Begins a change of the store when those before it have ended.
    ///
    /// A store that is asked for two things at a time may do them in any order, above all a slow one. An answer would
    /// then overwrite a newer one, or come to the records of another user. So answers, outcomes of uploads and changes
    /// of user go one after the other, and what decides about them is looked at when it is their turn. Nothing in
    /// `change` may wait for another one.
    func inOrder<Result>(_ change: () async throws -> Result) async rethrows -> Result {
        if isChangingStore {
            await withCheckedContinuation { changesWaiting.append($0) }
        } else {
            isChangingStore = true
        }
        defer {
            // The next one begins before anybody else can ask.
            if changesWaiting.isEmpty { isChangingStore = false } else { changesWaiting.removeFirst().resume() }
        }
        return try await change()
    }
}
