import Foundation

/// A list of events in their order.
///
/// Unchecked, because the lock protects `gathered`.
final class Order: @unchecked Sendable {
    private let lock = NSLock()
    private var gathered: [String] = []

    var all: [String] { lock.withLock { gathered } }

    func add(_ text: String) { lock.withLock { gathered.append(text) } }
}
