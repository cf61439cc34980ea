import GRDB
import SelectiveSync

/// Answers queries on one state of the file.
struct QueryReader {
    let db: Database
    let schema: IndexSchema

    func page(_ query: RecordQuery) throws -> RecordPage {
        // One more shows whether another page follows.
        let wanted = query.limit == .max ? .max : query.limit + 1
        let rows = try withSQL(of: query) { sql in
            var rows: [Row] = []
            for statement in sql.pages(offset: query.offset) where rows.count < wanted {
                let arguments = statement.arguments(limit: wanted == .max ? .max : wanted - rows.count)
                rows += try Row.fetchAll(db.makeStatement(sql: statement.text), arguments: arguments)
            }
            return rows
        }
        let page = try rows.prefix(query.limit).compactMap { try LocalRecord(row: $0) }
        let next = rows.count > query.limit ? page.last.map { RecordPlace(behind: $0, in: query) } : nil
        return RecordPage(page, next: next)
    }

    func count(_ query: RecordQuery) throws -> Int {
        try query.validate(search: schema.search(of: query.object)?.fields ?? [])
        return try withSQL(of: query.counted) { sql in
            let (statement, arguments) = (sql.count.text, StatementArguments(sql.count.arguments))
            return try Int.fetchOne(db.makeStatement(sql: statement), arguments: arguments) ?? 0
        }
    }

    /// Runs the statements of a query.
    private func withSQL<Value>(of query: RecordQuery, _ run: (QuerySQL) throws -> Value) throws -> Value {
        let (search, access) = try prepare(query)
        do {
            return try run(QuerySQL(query, search: search, access))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR && access != .any {
            // SQLite refuses a statement that names an index which it cannot use. That does not mean that the file is
            // damaged.
            return try run(QuerySQL(query, search: search, .any))
        }
    }

    /// How SQLite runs the query, as `EXPLAIN QUERY PLAN` says.
    func plan(_ query: RecordQuery) throws -> [String] {
        let (search, access) = try prepare(query)
        return try QuerySQL(query, search: search, access).pages(offset: query.offset).flatMap { statement in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN \(statement.text)", arguments: statement.arguments(limit: query.limit)
            ).map { try $0.decode(String.self, atIndex: 3) }
        }
    }

    private func prepare(_ query: RecordQuery) throws -> (search: IndexSchema.Search?, access: QueryAccess) {
        let search = schema.search(of: query.object)
        try query.validate(search: search?.fields ?? [])
        if query.condition.hasSearch, let search, try !IndexSchema.searches(db).contains(search.name) {
            guard try IndexSchema.canSearch(db) else { throw IndexSchema.noSearch }
            throw RecordQueryError(
                .notSearchable, "the search of \(query.object) could not be prepared; open the store again")
        }
        // An index that is not complete yet is not in the file.
        let existing = try IndexSchema.indexes(db)
        return (search, QueryAccess(query, indexes: schema.indexes.filter { existing.contains($0.name) }))
    }
}

extension QuerySQL.Statement {
    /// - Parameter limit: The last argument of a statement of a page.
    fileprivate func arguments(limit: Int) -> StatementArguments {
        StatementArguments(arguments + [limit.databaseValue])
    }
}
