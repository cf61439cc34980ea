#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
import Synchronization

/// Interrupts threads that wait for input. Can be raised once.
final class StopSignal: Sendable {
    /// Becomes readable when `stop` is called. It is −1 when the system has no descriptor left; `isStopped` works then too.
    let descriptor: Int32
    private let writeEnd: Int32
    private let stopped = Atomic(false)

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { ends = [-1, -1] }
        descriptor = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if writeEnd >= 0 { close(writeEnd) }
    }

    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    func stop() {
        guard !stopped.exchange(true, ordering: .acquiringAndReleasing), writeEnd >= 0 else { return }
        _ = System.write([0], to: writeEnd)
    }
}
