import Foundation

/// Problems of an app, also those that show when nobody waits.
///
/// Unchecked, because the lock protects `gathered`.
final class ProblemLog: @unchecked Sendable {
    private let lock = NSLock()
    private var gathered: [PhoneProblem] = []

    var problems: [PhoneProblem] { lock.withLock { gathered } }

    func add(_ problem: PhoneProblem) { lock.withLock { gathered.append(problem) } }
}
