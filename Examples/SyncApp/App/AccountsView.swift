import SelectiveSync
import SwiftUI

/// The accounts in conflict, then all of them. A row, or the tap on a notification, opens a record.
struct AccountsView: View {
    private let perform: Perform
    @State private var list: AccountList?
    @State private var rows: [AccountRow] = []
    @State private var conflicts: [AccountConflict] = []
    /// Nil while the list is on top.
    @State private var screen: Screen?

    init(_ perform: @escaping Perform) { self.perform = perform }

    var body: some View {
        List {
            ForEach(conflicts) { conflict in
                ConflictView(conflict: conflict) { decision in
                    perform { try await list?.resolve(conflict, decision) }
                }
            }
            ForEach(rows) { row in
                Button(row.name) { screen = row.id.id.map(Screen.account) }
            }
            Button("Log out") {
                perform { try await AppDelegate.crm.logOut() }
            }
        }
        .refreshable { await AppDelegate.crm.refresh() }
        .sheet(item: $screen) { opened in
            if let record = opened.record {
                RecordView(record.id, of: record.object) { row, name in
                    screen = nil
                    perform { try await list?.rename(row, to: name) }
                }
            }
        }
        .task {
            let list = AccountList(AppDelegate.crm) { new in
                rows = new.rows
                conflicts = new.conflicts
            }
            self.list = list
            await list.run()
        }
        .task { for await opened in AppDelegate.router.screens { screen = opened == .list ? nil : opened } }
    }
}

/// An account that the user and somebody else have renamed.
struct ConflictView: View {
    let conflict: AccountConflict
    let decide: @MainActor (ConflictResolution) -> Void

    var body: some View {
        VStack(alignment: .leading) {
            Text("Yours: \(conflict.mine ?? "deleted")")
            Text("In the CRM: \(conflict.theirs ?? "deleted")")
            HStack {
                Button("Keep mine") { decide(.mine) }
                Button("Take theirs") { decide(.theirs) }
            }
            // Without it, a tap on the row of a list is a tap on all of its buttons.
            .buttonStyle(.borderless)
        }
    }
}
