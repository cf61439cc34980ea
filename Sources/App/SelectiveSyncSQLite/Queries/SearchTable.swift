import GRDB
import PushDispatch
import SelectiveSync

/// Keeps the words of one object's records in step with a change, inside its transaction.
///
/// No trigger does this: for a statement with triggers SQLite begins a savepoint, and at each savepoint FTS5 writes the words that
/// it has gathered, which are those of a single record then. Merging took three times as long.
struct SearchTable {
    private let fields: [[UInt8]]
    private let find: DirectStatement
    private let insert: DirectStatement
    private let delete: DirectStatement

    init(_ db: Database, _ search: IndexSchema.Search) throws {
        fields = search.fields.map { Array($0.name.utf8) }
        find = try DirectStatement(db, "SELECT words FROM \(search.name) WHERE rowid = ?1")
        insert = try DirectStatement(db, "INSERT INTO \(search.name) (rowid, words) VALUES (?1, ?2)")
        delete = try DirectStatement(db, "DELETE FROM \(search.name) WHERE rowid = ?1")
    }

    /// - Parameters:
    ///   - number: The row of the record.
    ///   - record: Its fields as they are stored.
    ///   - isNew: Whether the row was just inserted.
    func put(_ number: Int64, _ record: UnsafeBufferPointer<UInt8>, isNew: Bool = false) throws {
        var words: [UInt8] = []
        for field in fields {
            field.withUnsafeBufferPointer { SearchWords.append(FieldScanner.find($0, in: record), to: &words) }
        }
        try words.withUnsafeBufferPointer { words in
            if !isNew {
                find.bind(number, at: 1)
                let isSame = try find.first { $0.equals(words, 0) }
                if isSame == true { return }
                if isSame == false { try remove(number) }
            }
            insert.bind(number, at: 1)
            insert.bind(text: words, at: 2)
            try insert.run()
        }
    }

    func remove(_ number: Int64) throws {
        delete.bind(number, at: 1)
        try delete.run()
    }
}
