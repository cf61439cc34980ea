import SelectiveSync
import SwiftUI

/// The log-in. An app opens the log-in page of its CRM instead, and gets the tokens from it. This form takes them by hand,
/// such as those that `apns org login USER --json` prints.
struct LogInView: View {
    private let problem: (any Error)?
    private let perform: Perform
    @State private var form = LogInForm()

    init(_ problem: (any Error)?, _ perform: @escaping Perform) {
        self.problem = problem
        self.perform = perform
    }

    var body: some View {
        VStack {
            TextField("Address of the CRM", text: $form.instance)
            TextField("User id", text: $form.user)
            SecureField("Access token", text: $form.accessToken)
            SecureField("Refresh token", text: $form.refreshToken)
            if let tokens = form.tokens {
                Button("Log in") { logIn(tokens) }
                // The device has edits of another user that were never sent. Only the user can decide to lose them.
                if case .unsentEdits? = problem as? SyncStoreError {
                    Button("Discard these edits and log in") { logIn(tokens, discardingEdits: true) }
                }
            }
        }
    }

    private func logIn(_ tokens: OAuthTokens, discardingEdits: Bool = false) {
        let user = form.user
        perform { try await AppDelegate.crm.logIn(user, tokens: tokens, discardingEdits: discardingEdits) }
    }
}
