public import SelectiveSync

/// The list of accounts on the screen. It follows every change of the store.
@MainActor
public final class AccountList {
    public private(set) var rows: [AccountRow] = []
    /// Why the store cannot be read, for a log.
    public private(set) var problem: String?
    private let crm: CRMSync
    private let onChange: @MainActor (AccountList) -> Void

    public init(_ crm: CRMSync, onChange: @escaping @MainActor (AccountList) -> Void) {
        self.crm = crm
        self.onChange = onChange
    }

    /// Follows the store until its task is cancelled, for example when the screen closes. Before the first unlock it waits.
    public func run() async {
        for await status in crm.statuses() where status.phase != .locked && status.phase != .opening { break }
        do {
            for try await records in try await crm.store().observe("Account") {
                rows = records.filter { !$0.changes.contains(.deleted) }.map(AccountRow.init)
                onChange(self)
            }
        } catch {
            problem = "\(error)"
            onChange(self)
        }
    }

    /// The user renames an account. The new name is shown at once, and no push overwrites it before it is uploaded.
    public func rename(_ row: AccountRow, to name: String) async throws {
        try await crm.edit(row.id, of: "Account") { fields in
            fields["Name"] = .string(name)
        }
    }
}
