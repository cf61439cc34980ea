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

    /// The first accounts by name.
    static let query = RecordQuery("Account", order: [.ascending("Name")], limit: 200)
    /// What the store prepares for the query.
    public nonisolated static let indexes = QueryIndexes([RecordIndex("Account", ["Name"])])

    /// Follows the store until its task is cancelled, for example when the screen closes. Before the first unlock it waits, and
    /// while nobody is logged in it shows nothing.
    public func run() async {
        var user: String?
        var following: Task<Void, Never>?
        for await status in crm.statuses() where status.phase != .locked && status.phase != .opening {
            guard status.user != user else { continue }
            user = status.user
            following?.cancel()
            await following?.value
            following = nil
            show([])
            if user != nil { following = Task { await self.follow() } }
        }
        following?.cancel()
    }

    private func follow() async {
        do {
            for try await list in try await crm.store().observe(AccountList.query) { show(list.map(AccountRow.init)) }
        } catch {
            problem = "\(error)"
            onChange(self)
        }
    }

    private func show(_ new: [AccountRow]) {
        guard new != rows, !Task.isCancelled || new.isEmpty else { return }
        rows = new
        onChange(self)
    }

    /// The user renames an account. The new name is shown at once, and no push overwrites it before it is uploaded.
    public func rename(_ row: AccountRow, to name: String) async throws {
        try await crm.edit(row.id, of: "Account") { fields in
            fields["Name"] = .string(name)
        }
    }
}
