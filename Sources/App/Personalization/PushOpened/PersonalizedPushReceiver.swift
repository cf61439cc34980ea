public import PushDispatch

/// Keeps personalization pushes away from the handlers of other pushes, so that both live in one app: neither sees the
/// other's payload.
///
/// ```swift
/// let receiver = PersonalizedPushReceiver(dispatcher, rules: PushOpenedRules())
/// ```
///
/// Give it to the adapters of `PushDispatch` in place of the dispatcher. A personalization push that arrives needs no work,
/// so its result is `noData`. An open of it comes from the notification center: on Apple's systems with
/// `PersonalizedPushDelegate`, elsewhere by calling ``PushOpenedHandler/opened(_:requestID:)``.
public struct PersonalizedPushReceiver: PushReceiver {
    private let others: any PushReceiver
    private let rules: PushOpenedRules

    /// - Parameter others: A dispatcher, or an object that owns one.
    public init(_ others: any PushReceiver, rules: PushOpenedRules) {
        self.others = others
        self.rules = rules
    }

    public func handle(
        _ push: Push, from entryPoint: EntryPoint, deadline: DispatchMoment?,
        completion: @escaping @Sendable (PushResult) -> Void
    ) {
        guard rules.matches(push) else {
            return others.handle(push, from: entryPoint, deadline: deadline, completion: completion)
        }
        completion(.noData)
    }

    public func isShownInForeground(_ push: Push) -> Bool { rules.matches(push) || others.isShownInForeground(push) }

    public func target(of push: Push) -> PushTarget {
        rules.matches(push) ? .message(type: rules.type) : others.target(of: push)
    }
}
