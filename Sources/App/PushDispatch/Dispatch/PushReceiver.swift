/// Takes in the pushes of an app: a dispatcher, or an object that owns one. The adapters for UIKit, AppKit, WatchKit and
/// UserNotifications pass pushes to it.
public protocol PushReceiver: Sendable {
    /// Handles a push and calls `completion` exactly once, by the deadline at the latest. The time counts from this call, not
    /// from the moment at which a task gets to run.
    ///
    /// - Parameter deadline: When the result has to be reported; nil for the policy's budget.
    func handle(
        _ push: Push, from entryPoint: EntryPoint, deadline: DispatchMoment?,
        completion: @escaping @Sendable (PushResult) -> Void)

    /// Whether to show a visible push while the app is on screen. Types that only name records show nothing by default.
    func isShownInForeground(_ push: Push) -> Bool

    /// What a push is about, to open a screen for a tap on it.
    func target(of push: Push) -> PushTarget
}

extension PushReceiver {
    public func handle(
        _ push: Push, from entryPoint: EntryPoint, completion: @escaping @Sendable (PushResult) -> Void
    ) {
        handle(push, from: entryPoint, deadline: nil, completion: completion)
    }
}
