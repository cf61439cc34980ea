import Dispatch
import GRDB
import PushDispatch
public import SelectiveSync

extension SQLiteStore {
    public func observe(_ query: RecordQuery) -> AsyncThrowingStream<RecordList, any Error> {
        let store = self
        return observers.observe(query, search: schema.search(of: query.object)?.fields ?? []) {
            query, atSnapshot, done in
            store.fetch(atSnapshot, done) { try QueryReader(db: $0, schema: store.schema).page(query) }
        }
    }

    public func observe(_ key: RecordKey, of object: String) -> AsyncThrowingStream<LocalRecord?, any Error> {
        let store = self
        return observers.observe(key, of: object) { key, atSnapshot, done in
            store.fetch(atSnapshot, done) { try RecordTable($0, object).record(key) }
        }
    }

    /// Reads the state between two transactions, while the next one may already run.
    private func fetch<Value: Sendable>(
        _ atSnapshot: @escaping @Sendable () -> Void,
        _ done: @escaping @Sendable (Result<Value, any Error>) -> Void,
        _ look: @escaping @Sendable (Database) throws -> Value
    ) {
        let store = self
        pool.asyncWriteWithoutTransaction { _ in
            atSnapshot()
            store.pool.asyncConcurrentRead { database in
                switch Result(catching: { try look(database.get()) }) {
                case .success(let value): done(.success(value))
                case .failure(let error):
                    // Not here: the reason of the error is read from the file, and a connection cannot be used inside itself.
                    DispatchQueue.global().async { done(.failure(store.failure(error))) }
                }
            }
        }
    }

    /// The records of an object now and after each change, for a list on the screen.
    ///
    /// A slow reader misses intermediate values, but never the last one. The sequence ends when its task is cancelled or the
    /// database reports an error. Each change reads all of them again; `observe(_:)` with a query does not.
    public func observe(_ object: String, limit: Int) -> AsyncThrowingStream<[LocalRecord], any Error> {
        stream { try SQLiteStore.records($0, object, after: nil, limit: limit) }
    }

    /// The conflicts of an object now and after each change.
    public func observeConflicts(of object: String) -> AsyncThrowingStream<[RecordConflict], any Error> {
        stream {
            try SQLiteStore.dirtyRecords($0, object, "\(Schema.isUnsent) AND \(Schema.isInConflict)").compactMap(
                \.conflict)
        }
    }

    /// The number of records that wait to be fetched.
    public func observePendingCount() -> AsyncThrowingStream<Int, any Error> {
        stream { try Int.fetchOne($0, sql: "SELECT count(*) FROM pending") ?? 0 }
    }

    public func observeCounts() -> AsyncThrowingStream<StoreCounts, any Error> {
        stream { db in
            // Only the rows with edits are visited, and no record is decoded.
            let row = try Row.fetchOne(db.cachedStatement(sql: Schema.countOfUnsent))
            func number(_ column: Int) throws -> Int { try row?.decode(Int.self, atIndex: column) ?? 0 }
            return StoreCounts(
                pending: try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM pending")) ?? 0,
                unsent: try number(0), conflicts: try number(1), failed: try number(2))
        }
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
