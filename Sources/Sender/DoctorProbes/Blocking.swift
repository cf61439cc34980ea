import Dispatch
import Synchronization

/// Waits for a task on a thread that is not one of Swift concurrency's own.
enum Blocking {
    private final class Box<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
    }

    struct NoResult: Error {}

    static func value<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let box = Box<Value>()
        Task {
            let result: Result<Value, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            box.result.withLock { $0 = result }
            box.isDone.signal()
        }
        box.isDone.wait()
        guard let result = box.result.withLock({ $0 }) else { throw NoResult() }
        return try result.get()
    }
}
