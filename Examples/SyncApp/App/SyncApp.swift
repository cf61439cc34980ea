import SelectiveSync
import SwiftUI

@main
struct SyncApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate

    var body: some Scene {
        WindowGroup { RootView() }
    }
}

/// Runs what the user has asked for. `RootView` shows its error.
typealias Perform = @MainActor (@escaping @MainActor () async throws -> Void) -> Void

/// The accounts of the user, or the log-in.
struct RootView: View {
    @State private var status: CRMStatus?
    @State private var problem: (any Error)?

    var body: some View {
        VStack {
            if let problem { Text(String(describing: problem)) }
            switch status?.phase {
            case .ready: AccountsView(perform)
            // Also during a change, so that a log-in that fails keeps what the user has typed.
            case .loggedOut, .sessionExpired, .changingUser: LogInView(problem, perform)
            case .locked: Text(status?.problem ?? "The records cannot be read.")
            case .opening, nil: Text("Opening the records")
            }
        }
        .task { for await new in AppDelegate.crm.statuses() { status = new } }
    }

    private func perform(_ work: @escaping @MainActor () async throws -> Void) {
        Task {
            do {
                try await work()
                problem = nil
            } catch {
                problem = error
            }
        }
    }
}
