import SwiftUI

@main
struct SyncApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate

    var body: some Scene {
        WindowGroup { AccountsView() }
    }
}

/// The accounts. Screens of an app begin here: log-in with `AppDelegate.crm.logIn`, and those of `Screen`.
struct AccountsView: View {
    @State private var rows: [AccountRow] = []
    @State private var screen = Screen.list

    var body: some View {
        List(rows) { row in Text(row.name) }
            .refreshable { await AppDelegate.crm.refresh() }
            .task { await AccountList(AppDelegate.crm) { rows = $0.rows }.run() }
            .task { for await opened in AppDelegate.router.screens { screen = opened } }
    }
}
