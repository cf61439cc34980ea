extension MemoryRecordStore {
    public func records(_ query: RecordQuery) async throws -> RecordPage { try page(query) }

    public func count(_ query: RecordQuery) async throws -> Int {
        try query.validate(search: search[query.object] ?? [])
        return try page(query.counted).records.count
    }

    private func page(_ query: RecordQuery) throws -> RecordPage {
        let search = search[query.object] ?? []
        try query.validate(search: search)
        return query.page(of: (objects[query.object] ?? [:]).values, search: search)
    }

    public nonisolated func observe(_ query: RecordQuery) -> AsyncThrowingStream<RecordList, any Error> {
        observers.observe(query, search: search[query.object] ?? []) { query, atSnapshot, done in
            Task { await self.fetch(query, atSnapshot, done) }
        }
    }

    public nonisolated func observe(
        _ key: RecordKey, of object: String
    ) -> AsyncThrowingStream<LocalRecord?, any Error> {
        observers.observe(key, of: object) { key, atSnapshot, done in
            Task { await self.fetch(key, of: object, atSnapshot, done) }
        }
    }

    private func fetch(
        _ query: RecordQuery, _ atSnapshot: () -> Void, _ done: (Result<RecordPage, any Error>) -> Void
    ) {
        atSnapshot()
        done(Result { try page(query) })
    }

    private func fetch(
        _ key: RecordKey, of object: String, _ atSnapshot: () -> Void,
        _ done: (Result<LocalRecord?, any Error>) -> Void
    ) {
        atSnapshot()
        done(.success(record(key, of: object)))
    }
}
