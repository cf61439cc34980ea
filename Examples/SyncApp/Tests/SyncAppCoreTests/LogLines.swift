import Foundation

/// The lines that the app has logged.
///
/// Unchecked, because the lock protects `lines`.
final class LogLines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    var all: [String] { lock.withLock { lines } }

    func add(_ line: String) { lock.withLock { lines.append(line) } }
}
