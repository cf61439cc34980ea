/// Times and limits of a dispatcher.
public struct DispatchPolicy: Hashable, Sendable {
    /// How long after its arrival a push without a deadline is answered. The system allows about 30 seconds.
    public var budgetMilliseconds: Int64 = 25_000
    /// How long before the deadline the handler is stopped, to leave time to keep unfinished records.
    public var reserveMilliseconds: Int64 = 1_000
    /// How long after a push the same payload by another entry point counts as a duplicate.
    public var duplicateWindowMilliseconds: Int64 = 1_000
    /// Handlers that run or wait to run, including stopped ones that have not returned. A push beyond this limit goes
    /// straight to the pending store.
    public var maximumHandlers = 16
    /// Calls that wait for a result. A push beyond this limit goes straight to the pending store.
    public var maximumWaiting = 256
    /// Handled pushes that are remembered to recognise duplicates.
    public var maximumRecentPushes = 64
    /// The root key with the sender's id of each push, if it sends one. Without it equal payloads are the same push.
    public var identityKey: String?
    /// The root key with the id of the user that a push is for, if the sender sends one.
    public var userKey: String?

    public init() {}
}
