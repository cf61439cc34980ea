/// The tasks of the requests in flight.
struct SyncFetches {
    private struct Fetch {
        let task: Task<Void, Never>
        /// Whether the store is taking in its answers.
        var isStoring = false
    }

    private var fetches: [SyncCore.RequestID: Fetch] = [:]

    /// Requests whose answers the store is taking in.
    var storing: Set<SyncCore.RequestID> { Set(fetches.filter(\.value.isStoring).keys) }

    mutating func add(_ request: SyncCore.RequestID, _ task: Task<Void, Never>) { fetches[request] = Fetch(task: task) }

    mutating func setStoring(_ isStoring: Bool, _ request: SyncCore.RequestID) {
        fetches[request]?.isStoring = isStoring
    }

    func cancel(_ request: SyncCore.RequestID) { fetches[request]?.task.cancel() }

    mutating func remove(_ request: SyncCore.RequestID) -> Task<Void, Never>? {
        fetches.removeValue(forKey: request)?.task
    }
}
