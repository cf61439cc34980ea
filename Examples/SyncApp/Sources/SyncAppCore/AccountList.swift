public import SelectiveSyncSQLite

/// The list of accounts on the screen. It follows every change of the store.
@MainActor
public final class AccountList {
    public private(set) var rows: [AccountRow] = []
    /// Why the store cannot be read, for a log.
    public private(set) var problem: String?
    private let store: SQLiteStore
    private let onChange: @MainActor () -> Void

    public init(_ store: SQLiteStore, onChange: @escaping @MainActor () -> Void) {
        self.store = store
        self.onChange = onChange
    }

    /// Follows the store until its task is cancelled, for example when the screen closes.
    public func run() async {
        do {
            for try await records in store.observe("Account") {
                rows = records.filter { !$0.changes.contains(.deleted) }.map(AccountRow.init)
                onChange()
            }
        } catch {
            problem = "\(error)"
            onChange()
        }
    }

    /// The user renames an account. The new name is shown at once, and no push overwrites it before it is uploaded.
    public func rename(_ row: AccountRow, to name: String) async throws {
        guard var record = try await store.record(row.id, of: "Account") else { return }
        record.fields["Name"] = .string(name)
        record.changes.insert(.updated)
        try await store.put(record, of: "Account")
    }
}
