import Foundation
import PushDispatch
public import SelectiveSync

/// Counts and logs the events of the app. They hold no field of a record and no text of a payload, so they may go into a log
/// that leaves the device.
///
/// Unchecked, because the lock protects `numbers`.
public final class AppLog: @unchecked Sendable {
    private let lock = NSLock()
    private var numbers: [String: Int] = [:]
    private let output: @Sendable (String) -> Void

    /// - Parameter output: Called in order; `Logger.info`, for example.
    public init(output: @escaping @Sendable (String) -> Void = { _ in }) { self.output = output }

    /// The number of events by name.
    public var counts: [String: Int] { lock.withLock { numbers } }

    public func add(_ event: CRMEvent) {
        switch event {
        case .push(let push): count(push)
        case .sync(let sync): count(sync)
        case .notOpened: count("store.locked")
        case .pushMissed: count("push.missed")
        case .opened(let replacement): if replacement != nil { count("store.replaced") }
        case .session, .server, .registration, .logOutFailed: break
        }
        write("\(event)")
    }

    public func add(_ event: PushSetupEvent) {
        if case .permission(let isGranted) = event { count(isGranted ? "permission.granted" : "permission.refused") }
        write("setup: \(event)")
    }

    private func count(_ event: DispatchEvent) {
        switch event {
        case .received: count("push.received")
        case .ignored(let why): count("push.ignored.\(why.rawValue)")
        case .duplicateDropped, .duplicateJoined: count("push.duplicate")
        case .finished(let result, _): count("push.\(result.rawValue)")
        case .handlerStopped(let cause): count("push.stopped.\(cause.rawValue)")
        case .notKept, .storeLate: count("push.store-trouble")
        case .issue, .fetchAgain, .started, .startedMessage, .handlerFailed, .handlerLate, .kept: break
        }
    }

    private func count(_ event: SyncEvent) {
        switch event {
        case .fetchFailed(_, let error): count("sync.failed.\(error.code)")
        case .merged(_, let counts): count("sync.changed", by: counts.changed)
        case .regularSyncNeeded: count("sync.overflow")
        default: break
        }
    }

    private func write(_ line: String) { output(line) }

    private func count(_ name: String, by number: Int = 1) {
        lock.withLock { numbers[name, default: 0] += number }
    }
}
