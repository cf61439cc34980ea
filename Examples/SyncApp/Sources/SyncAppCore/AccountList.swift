public import SelectiveSync

/// The list of accounts on the screen. It follows every change of the store.
@MainActor
public final class AccountList {
    public private(set) var rows: [AccountRow] = []
    /// Of all accounts, so that none waits unseen behind the limit of `rows`.
    public private(set) var conflicts: [AccountConflict] = []
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
            showConflicts([])
            if user != nil { following = Task { await self.follow() } }
        }
        following?.cancel()
    }

    private func follow() async {
        async let followed: Void = followConflicts()
        do {
            for try await list in try await crm.store().observe(AccountList.query) { show(list.map(AccountRow.init)) }
        } catch {
            report(error)
        }
        await followed
    }

    private func followConflicts() async {
        do {
            for try await list in try await crm.store().observeConflicts(of: "Account") {
                showConflicts(list.map(AccountConflict.init))
            }
        } catch {
            report(error)
        }
    }

    private func report(_ error: any Error) {
        problem = "\(error)"
        onChange(self)
    }

    private func show(_ new: [AccountRow]) {
        guard new != rows, !Task.isCancelled || new.isEmpty else { return }
        rows = new
        onChange(self)
    }

    private func showConflicts(_ new: [AccountConflict]) {
        guard new != conflicts, !Task.isCancelled || new.isEmpty else { return }
        conflicts = new
        onChange(self)
    }

    /// The user renames an account. The new name is shown at once, and no push overwrites it before it is uploaded.
    public func rename(_ row: AccountRow, to name: String) async throws {
        try await crm.edit(row.id, of: "Account") { fields in
            fields["Name"] = .string(name)
        }
    }

    /// The user decides about a conflict as it was shown. If the CRM's version has changed since, the account stays in
    /// conflict.
    public func resolve(_ conflict: AccountConflict, _ decision: ConflictResolution) async throws {
        try await crm.resolve(conflict.conflict, of: "Account", decision)
    }
}
