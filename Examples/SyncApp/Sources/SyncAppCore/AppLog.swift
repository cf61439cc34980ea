public import Foundation
public import PushDispatch
public import SelectiveSync

/// Counts what push and sync do, and tells it to a log. The events hold no value of a payload or record, so they may go
/// into a log that leaves the device.
///
/// Unchecked, because the lock protects `gathered`.
public final class AppLog: @unchecked Sendable {
    private let lock = NSLock()
    private var gathered: [String: Int] = [:]
    private let write: @Sendable (String) -> Void

    /// - Parameter write: Called in order; `Logger.info` or the like.
    public init(write: @escaping @Sendable (String) -> Void = { _ in }) { self.write = write }

    /// How often each thing happened.
    public var counts: [String: Int] { lock.withLock { gathered } }

    func add(_ event: DispatchEvent) {
        switch event {
        case .received: count("push.received")
        case .ignored(let why): count("push.ignored.\(why.rawValue)")
        case .duplicateDropped, .duplicateJoined: count("push.twin")
        case .finished(let result, _): count("push.\(result.rawValue)")
        case .handlerStopped(let cause): count("push.stopped.\(cause.rawValue)")
        case .notKept, .storeLate: count("push.store-trouble")
        case .issue, .fetchAgain, .started, .startedMessage, .handlerFailed, .handlerLate, .kept: break
        }
        tell("push: \(event)")
    }

    func add(_ event: SyncEvent) {
        switch event {
        case .fetchFailed(_, let error): count("sync.failed.\(error.code)")
        case .merged(_, let counts): count("sync.changed", by: counts.changed)
        case .regularSyncNeeded: count("sync.overflow")
        default: break
        }
        tell("sync: \(event)")
    }

    func tell(_ line: String) { write(line) }

    private func count(_ name: String, by number: Int = 1) {
        lock.withLock { gathered[name, default: 0] += number }
    }
}
