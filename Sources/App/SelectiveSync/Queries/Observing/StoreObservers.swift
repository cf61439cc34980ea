import Foundation

/// The running observations of a store.
///
/// The store publishes each change in the order of its transactions. A query that has to be run again is run by the store's
/// `fetch`, on a state of the store between two transactions, while later changes wait.
///
/// `@unchecked Sendable` because the lock protects the observations.
package final class StoreObservers: @unchecked Sendable {
    /// Runs a query or reads a record.
    ///
    /// - Parameters:
    ///   - atSnapshot: To be called at a moment when all changes that the answer contains are published, and no other.
    ///   - done: To be called once, later.
    package typealias Fetch<Question, Answer> =
        @Sendable (
            _ question: Question, _ atSnapshot: @escaping @Sendable () -> Void,
            _ done: @escaping @Sendable (Result<Answer, any Error>) -> Void
        ) -> Void

    private let lock = NSLock()
    private var observations: [Int: any Observing] = [:]
    private var last = 0
    /// How many observe each object; nil stands for all objects and the hints.
    private var objects: [String?: Int] = [:]

    package init() {}

    /// Whether a change of the object's records is of interest.
    package func observes(_ object: String) -> Bool { lock.withLock { objects[object] != nil || objects[nil] != nil } }

    package var isEmpty: Bool { lock.withLock { observations.isEmpty } }

    package func publish(_ change: StoreChange) {
        let interested = lock.withLock { observations.values.filter { change.concerns($0.object) } }
        for observation in interested { observation.take(change) }
    }

    /// - Parameter search: The fields that a full-text search reads.
    package func observe(
        _ query: RecordQuery, search: [RecordField], fetch: @escaping Fetch<RecordQuery, RecordPage>
    ) -> AsyncThrowingStream<RecordList, any Error> {
        stream(of: query.object) { continuation in
            Observation(object: query.object, ObservedQuery(query, search: search), continuation) { atSnapshot, done in
                fetch(query, atSnapshot, done)
            }
        }
    }

    package func observe(
        _ key: RecordKey, of object: String, fetch: @escaping Fetch<RecordKey, LocalRecord?>
    ) -> AsyncThrowingStream<LocalRecord?, any Error> {
        stream(of: object) { continuation in
            Observation(object: object, ObservedRecord(key), continuation) { atSnapshot, done in
                fetch(key, atSnapshot, done)
            }
        }
    }

    /// A value that is read again after each change.
    ///
    /// - Parameter object: Whose changes; nil for all objects and the hints.
    func observe<Value: Sendable & Equatable>(
        all object: String?, fetch: @escaping Observation<ReadAgain<Value>>.Fetch
    ) -> AsyncThrowingStream<Value, any Error> {
        stream(of: object) { Observation(object: object, ReadAgain(), $0, fetch: fetch) }
    }

    private func stream<Value: Sendable>(
        of object: String?, _ make: (AsyncThrowingStream<Value, any Error>.Continuation) -> any Observing
    ) -> AsyncThrowingStream<Value, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observation = make(continuation)
            let number = lock.withLock {
                last += 1
                observations[last] = observation
                objects[object, default: 0] += 1
                return last
            }
            // It keeps this value and what `fetch` holds while somebody reads the sequence.
            continuation.onTermination = { _ in self.remove(number) }
            observation.start()
        }
    }

    private func remove(_ number: Int) {
        lock.withLock {
            guard let observation = observations.removeValue(forKey: number) else { return }
            let left = objects[observation.object, default: 1] - 1
            if left > 0 { objects[observation.object] = left } else { objects.removeValue(forKey: observation.object) }
        }
    }
}
