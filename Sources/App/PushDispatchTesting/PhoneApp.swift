public import PushDispatch

/// The callbacks of an app that the system calls for pushes.
///
/// ```swift
/// PhoneApp(dispatcher).comparing { await store.records(of: "Account") }
/// ```
public struct PhoneApp: Sendable {
    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`; `Push.userInfo` is the
    /// dictionary that the system passes.
    public typealias Fetch = @MainActor @Sendable (Push, @escaping @Sendable (PushResult) -> Void) -> Void
    /// `userNotificationCenter(_:willPresent:withCompletionHandler:)`; the completion says whether to show the
    /// notification.
    public typealias Present = @MainActor @Sendable (Push, @escaping @Sendable (Bool) -> Void) -> Void
    /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
    public typealias Respond = @MainActor @Sendable (Push, @escaping @Sendable () -> Void) -> Void

    enum Body: Sendable {
        case dispatcher(PushDispatcher, presents: @Sendable (Push) -> Bool)
        case callbacks(fetch: Fetch?, present: Present?, respond: Respond?)
    }

    let body: Body
    /// The app's contents, to compare before and after a push.
    private(set) var contents: (@Sendable () async throws -> any Hashable & Sendable)?

    /// An app whose three callbacks call a dispatcher, as the adapters of PushDispatch do.
    ///
    /// - Parameter presents: Whether to show a notification while the app is on screen; nil shows all but the types that only
    ///   name records.
    public init(_ dispatcher: PushDispatcher, presents: (@Sendable (Push) -> Bool)? = nil) {
        body = .dispatcher(dispatcher, presents: presents ?? { dispatcher.isShownInForeground($0) })
    }

    /// An app whose three callbacks call an object that owns a dispatcher, such as a `CRMSync`.
    public init(receiver: any PushReceiver) {
        body = .callbacks(
            fetch: { push, answer in receiver.handle(push, from: .background, completion: answer) },
            present: { push, show in
                receiver.handle(push, from: .foreground) { _ in }
                show(receiver.isShownInForeground(push))
            },
            respond: { push, end in receiver.handle(push, from: .tap) { _ in end() } })
    }

    /// An app without a dispatcher; nil for each callback that it does not implement.
    public init(fetch: Fetch?, willPresent: Present? = nil, didReceive: Respond? = nil) {
        body = .callbacks(fetch: fetch, present: willPresent, respond: didReceive)
    }

    /// The same app, whose answers are checked: `newData` has to mean that its contents differ from those before the
    /// push, any other answer that they are the same.
    ///
    /// - Parameter contents: The app's records, without the pending list.
    public func comparing(_ contents: @escaping @Sendable () async throws -> some Hashable & Sendable) -> PhoneApp {
        var app = self
        app.contents = { try await contents() }
        return app
    }
}
