import Foundation

/// What a store knows of an observation.
protocol Observing: Sendable {
    /// Nil for all objects and the hints.
    var object: String? { get }
    func start()
    func take(_ change: StoreChange)
}

/// One observation: the state that follows the changes, and the sequence that its values go to.
///
/// `@unchecked Sendable` because the lock protects the state.
final class Observation<Follower: ChangeFollower>: Observing, @unchecked Sendable {
    typealias Fetch =
        @Sendable (
            _ atSnapshot: @escaping @Sendable () -> Void,
            _ done: @escaping @Sendable (Result<Follower.Answer, any Error>) -> Void
        ) -> Void

    let object: String?
    private let lock = NSLock()
    private var follower: Follower
    private var isFetching = false
    /// Changes that come after the answer that is fetched; nil if one of them cannot be applied to it.
    private var waiting: [[RecordVersion]]? = []
    private let continuation: AsyncThrowingStream<Follower.Value, any Error>.Continuation
    private let fetch: Fetch

    init(
        object: String?, _ follower: Follower,
        _ continuation: AsyncThrowingStream<Follower.Value, any Error>.Continuation, fetch: @escaping Fetch
    ) {
        self.object = object
        self.follower = follower
        self.continuation = continuation
        self.fetch = fetch
    }

    /// How many changes wait during a fetch. With more, another fetch costs less memory.
    private static var maximumWaiting: Int { 32 }

    func start() {
        lock.withLock { isFetching = true }
        run()
    }

    func take(_ change: StoreChange) {
        let fetches = lock.withLock { () -> Bool in
            if isFetching {
                if case .records(let versions, _) = change, waiting.map({ $0.count < Self.maximumWaiting }) == true {
                    waiting?.append(versions)
                } else {
                    waiting = nil
                }
                return false
            }
            guard case .records(let versions, _) = change else {
                isFetching = true
                return true
            }
            isFetching = deliver(follower.take(versions))
            return isFetching
        }
        if fetches { run() }
    }

    private func run() {
        fetch { [self] in
            lock.withLock { waiting = [] }
        } _: { [self] result in
            received(result)
        }
    }

    private func received(_ result: Result<Follower.Answer, any Error>) {
        let answer: Follower.Answer
        switch result {
        case .success(let success): answer = success
        case .failure(let error):
            continuation.finish(throwing: error)
            return
        }
        let fetches = lock.withLock { () -> Bool in
            isFetching = deliver(follower.load(answer))
            guard let waiting else {
                isFetching = true
                return true
            }
            for versions in waiting where !isFetching { isFetching = deliver(follower.take(versions)) }
            self.waiting = []
            return isFetching
        }
        if fetches { run() }
    }

    /// Under the lock, so that values keep their order.
    ///
    /// - Returns: Whether the answer has to be fetched again.
    private func deliver(_ step: FollowerStep<Follower.Value>) -> Bool {
        switch step {
        case .nothing: return false
        case .changed(let value):
            continuation.yield(value)
            return false
        case .fetch: return true
        }
    }
}
