public import Foundation
public import SelectiveSync

extension AppCore {
    /// The app with the real CRM behind it.
    ///
    /// - Parameter session: Gives the session that is valid now. Called with the access token that the server refused, it
    ///   renews that one, once for all who wait.
    public static func live(
        folder: URL, log: AppLog = AppLog(), session: @escaping RESTClient.SessionProvider
    ) throws -> AppCore {
        let server = RESTClient(onEvent: { log.add($0) }, session: session)
        return try AppCore(folder: folder, server: server, log: log)
    }
}

extension AppLog {
    func add(_ event: RESTEvent) { tell("server: \(event)") }
}
