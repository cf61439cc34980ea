import Foundation

/// Stops a server's thread until the test opens it.
struct ServerGate: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// Called on the server's thread.
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
