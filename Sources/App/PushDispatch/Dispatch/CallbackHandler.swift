import Foundation

/// A handler for code that reports by calling back, whether it does so once, twice or never.
public struct CallbackHandler: HintHandler {
    public typealias Completion = @Sendable (Result<HandlerReport, any Error>) -> Void

    private let body: @Sendable (Hint, HandlerContext, @escaping Completion) -> Void

    /// - Parameter body: Starts the work and returns; the first call of its completion counts, later ones do nothing.
    public init(_ body: @escaping @Sendable (Hint, HandlerContext, @escaping Completion) -> Void) {
        self.body = body
    }

    public func handle(_ hint: Hint, _ context: HandlerContext) async throws -> HandlerReport {
        let once = Once()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                once.wait(continuation)
                body(hint, context) { once.finish($0) }
            }
        } onCancel: {
            once.finish(.failure(CancellationError()))
        }
    }
}

/// Hands the first result to the one who waits, whichever of the two comes first.
///
/// Unchecked, because the lock protects `state`.
private final class Once: @unchecked Sendable {
    private typealias Outcome = Result<HandlerReport, any Error>

    private enum State {
        case idle
        case waiting(CheckedContinuation<HandlerReport, any Error>)
        case early(Outcome)
        case over
    }

    private let lock = NSLock()
    private var state = State.idle

    func wait(_ continuation: CheckedContinuation<HandlerReport, any Error>) {
        let early = lock.withLock { () -> Result<HandlerReport, any Error>? in
            if case .early(let outcome) = state {
                state = .over
                return outcome
            }
            state = .waiting(continuation)
            return nil
        }
        if let early { continuation.resume(with: early) }
    }

    func finish(_ outcome: Result<HandlerReport, any Error>) {
        let waiting = lock.withLock { () -> CheckedContinuation<HandlerReport, any Error>? in
            switch state {
            case .idle:
                state = .early(outcome)
                return nil
            case .waiting(let continuation):
                state = .over
                return continuation
            case .early, .over: return nil
            }
        }
        waiting?.resume(with: outcome)
    }
}
