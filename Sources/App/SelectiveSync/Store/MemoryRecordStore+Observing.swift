import PushDispatch

extension MemoryRecordStore {
    public nonisolated func observe(
        _ object: String, limit: Int
    ) -> AsyncThrowingStream<[LocalRecord], any Error> {
        stream(of: object) { Array($0.records(of: object).prefix(limit)) }
    }

    public nonisolated func observeConflicts(of object: String) -> AsyncThrowingStream<[RecordConflict], any Error> {
        stream(of: object) { $0.dirtyRecords(of: object).compactMap(\.conflict) }
    }

    public nonisolated func observeCounts() -> AsyncThrowingStream<StoreCounts, any Error> {
        stream(of: nil) { store in
            let unsent = store.allDirtyRecords
            return StoreCounts(
                pending: store.list.count, unsent: unsent.count, conflicts: unsent.count { $0.conflict != nil },
                failed: unsent.count { $0.lastError != nil })
        }
    }

    private nonisolated func stream<Value: Sendable & Equatable>(
        of object: String?, _ look: @escaping @Sendable (isolated MemoryRecordStore) -> Value
    ) -> AsyncThrowingStream<Value, any Error> {
        observers.observe(all: object) { atSnapshot, done in
            Task { await self.fetch(look, atSnapshot, done) }
        }
    }

    private func fetch<Value: Sendable>(
        _ look: @Sendable (isolated MemoryRecordStore) -> Value, _ atSnapshot: () -> Void,
        _ done: (Result<Value, any Error>) -> Void
    ) {
        atSnapshot()
        done(.success(look(self)))
    }
}
