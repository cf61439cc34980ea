import Dispatch
import GRDB
import PushDispatch
public import SelectiveSync

extension SQLiteStore {
    /// The records of an object now and after each change, for a list on the screen.
    ///
    /// A slow reader misses intermediate values, but never the last one. The sequence ends when its task is cancelled or the
    /// database reports an error.
    public func observe(_ object: String, limit: Int = .max) -> AsyncThrowingStream<[LocalRecord], any Error> {
        stream { try SQLiteStore.records($0, object, after: nil, limit: limit) }
    }

    /// One record now and after each change; nil while it does not exist.
    public func observe(_ key: RecordKey, of object: String) -> AsyncThrowingStream<LocalRecord?, any Error> {
        stream { try RecordTable($0, object).record(key) }
    }

    /// The number of records that wait to be fetched.
    public func observePendingCount() -> AsyncThrowingStream<Int, any Error> {
        stream { try Int.fetchOne($0, sql: "SELECT count(*) FROM pending") ?? 0 }
    }

    private func stream<Value: Sendable & Equatable>(
        _ look: @escaping @Sendable (Database) throws -> Value
    ) -> AsyncThrowingStream<Value, any Error> {
        let observation = ValueObservation.tracking(look).removeDuplicates()
        let store = self
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observing = observation.start(
                in: store.pool, scheduling: .async(onQueue: DispatchQueue(label: "SelectiveSync.observe"))
            ) { error in
                continuation.finish(throwing: store.failure(error))
            } onChange: { value in
                continuation.yield(value)
            }
            continuation.onTermination = { _ in observing.cancel() }
        }
    }
}
