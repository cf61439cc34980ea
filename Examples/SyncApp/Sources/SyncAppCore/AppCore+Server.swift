public import Foundation
public import SelectiveSync

extension AppCore {
    /// The app with the real CRM.
    ///
    /// - Parameters:
    ///   - tokens: Storage in the keychain.
    ///   - logInNeeded: Called when the session has ended and only the user can renew it: show the log-in. Hints stay
    ///     pending.
    /// - Returns: The app, and the session that takes the tokens of a log-in.
    public static func live(
        user: String?, folder: URL, app: OAuthApp, tokens: any TokenStorage, log: AppLog = AppLog(),
        logInNeeded: @escaping @Sendable () -> Void
    ) throws -> (core: AppCore, session: OAuthSession) {
        let session = try OAuthSession(app, storage: tokens) { event in
            log.write("session: \(event)")
            if event == .logInNeeded { logInNeeded() }
        }
        let server = RESTClient(onEvent: { log.write("server: \($0)") }, session: session)
        return (try AppCore(user: user, folder: folder, server: server, log: log), session)
    }
}
