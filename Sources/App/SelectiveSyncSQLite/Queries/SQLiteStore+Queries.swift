import GRDB
public import SelectiveSync

extension SQLiteStore: QueryableStore {
    /// A query for which the app has declared an index takes time for the records of its page only; any other reads all records of
    /// its object.
    public func records(_ query: RecordQuery) async throws -> RecordPage {
        try await look(query) { try $0.page(query) }
    }

    public func count(_ query: RecordQuery) async throws -> Int {
        try await look(query) { try $0.count(query) }
    }

    /// How SQLite runs a query, in its words. A line with `USING INDEX app_index_` shows that a declared index is used, one with
    /// `USE TEMP B-TREE` that the records are sorted.
    public func plan(of query: RecordQuery) async throws -> [String] {
        try await look(query) { try $0.plan(query) }
    }

    /// Waits until the declared indexes are in the file.
    ///
    /// - Throws: Why one could not be created. Queries are answered without it, only slower; a full-text search is not.
    public func waitForIndexes() async throws {
        if case .running = preparation.state {
            // Behind the preparation in the queue of writes.
            _ = try await write { _ in }
        }
        if case .done(let error?) = preparation.state { throw failure(error) }
    }

    /// The names of the indexes and search tables in the file, for tests.
    package func declaredNamesInFile() async throws -> Set<String> {
        try await read { try IndexSchema.indexes($0).union(IndexSchema.searches($0)) }
    }

    /// Whether a query or a record is observed, for tests.
    package var isObserved: Bool { !observers.isEmpty }

    private func look<Value: Sendable>(
        _ query: RecordQuery, _ body: @Sendable @escaping (QueryReader) throws -> Value
    ) async throws -> Value {
        if query.condition.hasSearch, case .running = preparation.state { _ = try await write { _ in } }
        let schema = schema
        return try await read { try body(QueryReader(db: $0, schema: schema)) }
    }

    /// Starts to match the file with the declared indexes, on the queue of writes.
    func prepareIndexes() throws {
        let (schema, preparation) = (schema, preparation)
        // By the writing connection: GRDB closes it before those for reading, and only the last one to be closed can write the log
        // back into the file.
        let isReady = try pool.writeWithoutTransaction { db in
            try schema.stopFollowing(db)
            return try schema.matches(db)
        }
        guard !isReady else { return preparation.end() }
        pool.asyncWriteWithoutTransaction { db in
            do {
                try schema.apply(db)
                preparation.end()
            } catch {
                preparation.end(error)
            }
        }
    }
}
