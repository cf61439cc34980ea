public import Foundation
public import SelectiveSync

extension AppCore {
    /// The app with the real CRM behind it.
    ///
    /// - Parameters:
    ///   - tokens: The keychain.
    ///   - logInNeeded: Only the user can help: show the log-in. What waits goes on waiting.
    /// - Returns: The app, and the session that a log-in hands its tokens to.
    public static func live(
        user: String?, folder: URL, app: OAuthApp, tokens: any TokenStorage, log: AppLog = AppLog(),
        logInNeeded: @escaping @Sendable () -> Void
    ) throws -> (core: AppCore, session: OAuthSession) {
        let session = try OAuthSession(app, storage: tokens) { event in
            log.tell("session: \(event)")
            if event == .logInNeeded { logInNeeded() }
        }
        let server = RESTClient(onEvent: { log.tell("server: \($0)") }, session: session)
        return (try AppCore(user: user, folder: folder, server: server, log: log), session)
    }
}
