import PushDispatch

/// One task that waits for a moment. An earlier moment replaces a later one.
struct SyncTimer {
    private var scheduled: (moment: DispatchMoment, task: Task<Void, Never>)?

    /// - Parameter start: Starts the task that waits; not called where an earlier one already waits.
    mutating func set(at moment: DispatchMoment, _ start: () -> Task<Void, Never>) {
        if let scheduled, scheduled.moment <= moment { return }
        scheduled?.task.cancel()
        scheduled = (moment, start())
    }

    mutating func fired() { scheduled = nil }
}

/// What wakes a sync.
struct SyncTimers {
    /// Starts requests.
    var requests = SyncTimer()
    /// Ends calls whose time is over.
    var limit = SyncTimer()
}
