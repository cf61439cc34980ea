/// A signal to wait for. Cancellation does not end the wait, like in a handler that hangs.
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
