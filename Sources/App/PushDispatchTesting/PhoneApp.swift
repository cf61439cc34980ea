public import PushDispatch

/// What of an app the system calls: its three callbacks.
///
/// ```swift
/// PhoneApp(dispatcher).comparing { await store.records(of: "Account") }
/// ```
public struct PhoneApp: Sendable {
    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`; `Push.userInfo` is what the system hands
    /// over.
    public typealias Fetch = @MainActor @Sendable (Push, @escaping @Sendable (PushResult) -> Void) -> Void
    /// `userNotificationCenter(_:willPresent:withCompletionHandler:)`; the completion says whether the push is shown.
    public typealias Present = @MainActor @Sendable (Push, @escaping @Sendable (Bool) -> Void) -> Void
    /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
    public typealias Respond = @MainActor @Sendable (Push, @escaping @Sendable () -> Void) -> Void

    enum Body: Sendable {
        case dispatcher(PushDispatcher, presents: @Sendable (Push) -> Bool)
        case callbacks(fetch: Fetch?, present: Present?, respond: Respond?)
    }

    let body: Body
    /// What the app keeps, to be compared before and after.
    private(set) var contents: (@Sendable () async throws -> any Hashable & Sendable)?

    /// An app whose three callbacks go to a dispatcher, as the adapters of PushDispatch take them there.
    ///
    /// - Parameter presents: Whether a push is shown while the app is in front.
    public init(_ dispatcher: PushDispatcher, presents: @escaping @Sendable (Push) -> Bool = { _ in true }) {
        body = .dispatcher(dispatcher, presents: presents)
    }

    /// An app with callbacks of its own; nil for one that it does not have.
    public init(fetch: Fetch?, willPresent: Present? = nil, didReceive: Respond? = nil) {
        body = .callbacks(fetch: fetch, present: willPresent, respond: didReceive)
    }

    /// The same app, whose answers are held against what it keeps: `newData` has to mean that this is another value
    /// than before the push, anything else that it is the same.
    ///
    /// - Parameter contents: The app's records, without the list of what is pending.
    public func comparing(_ contents: @escaping @Sendable () async throws -> some Hashable & Sendable) -> PhoneApp {
        var app = self
        app.contents = { try await contents() }
        return app
    }
}
