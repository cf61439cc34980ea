import Foundation

/// A handler for code that reports with a callback, even if it calls back twice or never.
public struct CallbackHandler: HintHandler {
    public typealias Completion = @Sendable (Result<HandlerReport, any Error>) -> Void

    private let body: @Sendable (Hint, HandlerContext, @escaping Completion) -> Void

    /// - Parameter body: Starts the work and returns. Only the first call of the completion counts.
    public init(_ body: @escaping @Sendable (Hint, HandlerContext, @escaping Completion) -> Void) {
        self.body = body
    }

    public func handle(_ hint: Hint, _ context: HandlerContext) async throws -> HandlerReport {
        let first = FirstResult()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                first.wait(continuation)
                body(hint, context) { first.finish($0) }
            }
        } onCancel: {
            first.finish(.failure(CancellationError()))
        }
    }
}

/// Passes the first result to the task that waits for it, whichever comes first.
///
/// Unchecked, because the lock protects `state`.
private final class FirstResult: @unchecked Sendable {
    private typealias Answer = Result<HandlerReport, any Error>

    private enum State {
        case idle
        case waiting(CheckedContinuation<HandlerReport, any Error>)
        case early(Answer)
        case over
    }

    private let lock = NSLock()
    private var state = State.idle

    func wait(_ continuation: CheckedContinuation<HandlerReport, any Error>) {
        let early = lock.withLock { () -> Answer? in
            if case .early(let answer) = state {
                state = .over
                return answer
            }
            state = .waiting(continuation)
            return nil
        }
        if let early { continuation.resume(with: early) }
    }

    func finish(_ answer: Result<HandlerReport, any Error>) {
        let waiting = lock.withLock { () -> CheckedContinuation<HandlerReport, any Error>? in
            switch state {
            case .idle:
                state = .early(answer)
                return nil
            case .waiting(let continuation):
                state = .over
                return continuation
            case .early, .over: return nil
            }
        }
        waiting?.resume(with: answer)
    }
}
