import Foundation

/// All problems of an app, including those that occur after their report was made.
///
/// Unchecked, because the lock protects `gathered`.
final class ProblemLog: @unchecked Sendable {
    private let lock = NSLock()
    private var gathered: [PhoneProblem] = []

    var problems: [PhoneProblem] { lock.withLock { gathered } }

    func add(_ problem: PhoneProblem) { lock.withLock { gathered.append(problem) } }
}
