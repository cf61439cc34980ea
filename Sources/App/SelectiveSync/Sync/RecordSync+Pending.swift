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

    enum Loaded {
        case all
        /// Some did not fit into memory.
        case part
        /// The store could not be read, so hints of earlier pushes may wait there.
        case failed
    }

    /// Loads hints from the store that are not in memory yet.
    func load(_ object: String) async -> Loaded {
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
            return loading.left == nil ? .all : .part
        } catch {
            onEvent(.pendingFailed(errorType: "\(type(of: error))"))
            return .failed
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
