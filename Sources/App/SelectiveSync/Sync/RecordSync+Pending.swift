import PushDispatch

// Hints in the store.
extension RecordSync {
    /// - Returns: The hint's mark; nil where the store was full or failed.
    func keep(_ hint: Hint) async -> PendingMark? {
        do {
            if let mark = try await store.keep(hint) { return mark }
            onEvent(.regularSyncNeeded(object: hint.object))
        } catch {
            onEvent(.pendingFailed(errorType: "\(type(of: error))"))
        }
        return nil
    }

    /// Loads hints from the store that are not in memory yet.
    ///
    /// - Returns: Whether some did not fit into memory.
    @discardableResult
    func load(_ object: String) async -> Bool {
        do {
            let session = sessions.current
            // In order: otherwise an answer could remove a hint after it was read here and before it is added to memory,
            // and its record would be fetched again.
            let loading = try await inOrder {
                let pending = try await store.pending(of: object, after: loaded[object])
                guard sessions.isCurrent(session) else { return SyncCore.Loading() }
                return take(pending, of: object)
            }
            await forget(loading.outOfScope, of: object)
            return loading.left != nil
        } catch {
            onEvent(.pendingFailed(errorType: "\(type(of: error))"))
            return false
        }
    }

    private func take(_ pending: [PendingRecord], of object: String) -> SyncCore.Loading {
        var loading = core.load(pending, of: object)
        if loading.left != nil, loading.added == 0 {
            // Hints of other objects that nothing waits for are in the store as well.
            for other in core.unloadIdle(besides: object) { loaded[other] = nil }
            loading = core.load(pending, of: object)
        }
        let last = loading.left.map { PendingMark(number: $0.number - 1) } ?? pending.last?.mark
        if let last { loaded[object] = max(last, loaded[object] ?? last) }
        return loading
    }

    func forget(_ records: [PendingRecord], of object: String) async {
        guard !records.isEmpty else { return }
        do {
            try await inOrder { try await store.forget(records, of: object) }
        } catch {
            // The next push fetches them once more, which changes nothing.
            loaded[object] = nil
            onEvent(.pendingFailed(errorType: "\(type(of: error))"))
        }
    }
}
