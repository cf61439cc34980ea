import Foundation
import TestSupport

/// What a completion handler was called with.
///
/// `@unchecked Sendable` because the lock protects everything.
final class Received<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [Value] = []

    func add(_ value: Value) { lock.withLock { values.append(value) } }

    var all: [Value] { lock.withLock { values } }

    /// Waits for the first value; nil if none comes.
    func first() async -> Value? {
        _ = await eventually { !all.isEmpty }
        return all.first
    }
}
