import Foundation

/// Where a server's thread waits until the test lets it go on.
struct ServerGate: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// On the server's thread.
    func hold() {
        reached.signal()
        opened.wait()
    }

    func open() { opened.signal() }

    func isReached() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                reached.wait()
                continuation.resume()
            }
        }
    }
}
