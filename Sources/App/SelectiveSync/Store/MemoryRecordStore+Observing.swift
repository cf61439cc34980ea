import PushDispatch

extension MemoryRecordStore {
    public nonisolated func observe(
        _ object: String, limit: Int
    ) -> AsyncThrowingStream<[LocalRecord], any Error> {
        stream { Array($0.records(of: object).prefix(limit)) }
    }

    public nonisolated func observeConflicts(of object: String) -> AsyncThrowingStream<[RecordConflict], any Error> {
        stream { $0.dirtyRecords(of: object).compactMap(\.conflict) }
    }

    public nonisolated func observeCounts() -> AsyncThrowingStream<StoreCounts, any Error> {
        stream { store in
            let unsent = store.allDirtyRecords
            return StoreCounts(
                pending: store.list.count, unsent: unsent.count, conflicts: unsent.count { $0.conflict != nil })
        }
    }

    private nonisolated func stream<Value: Sendable & Equatable>(
        _ look: @escaping @Sendable (isolated MemoryRecordStore) -> Value
    ) -> AsyncThrowingStream<Value, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let following = Task {
                var last: Value?
                for await _ in await self.changes() {
                    let value = await look(self)
                    if value != last { continuation.yield(value) }
                    last = value
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in following.cancel() }
        }
    }
}

/// Those who wait for changes of a store in memory.
struct ChangeSignals {
    private var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastNumber = 0

    /// - Returns: The observer's number, and a sequence with one element at once and one after each change.
    mutating func add() -> (number: Int, changes: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation) {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        lastNumber += 1
        continuations[lastNumber] = continuation
        return (lastNumber, changes, continuation)
    }

    mutating func remove(_ number: Int) { continuations[number] = nil }

    func changed() {
        for continuation in continuations.values { continuation.yield() }
    }
}
