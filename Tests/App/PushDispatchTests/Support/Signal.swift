/// Something to wait for that no cancellation interrupts, as a handler that hangs does.
actor Signal {
    private var isGiven = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func give() {
        isGiven = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func wait() async {
        guard !isGiven else { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}
