/// The times and bounds of a dispatcher.
public struct DispatchPolicy: Hashable, Sendable {
    /// A push without a deadline of its own is answered this long after it came in. The system allows about 30 seconds.
    public var budgetMilliseconds: Int64 = 25_000
    /// The handler is stopped this long before the deadline, to leave time for storing what is unfinished.
    public var reserveMilliseconds: Int64 = 1_000
    /// How long after a push the same payload by another entry point counts as the same push.
    public var duplicateWindowMilliseconds: Int64 = 1_000
    /// Handlers at work or waiting for their turn, those included that were stopped and have not returned. A push
    /// beyond that goes straight to the pending store.
    public var maximumHandlers = 16
    /// Pushes waiting for a result; one more of the same payload is kept and answered at once.
    public var maximumWaiting = 256
    /// Handled pushes remembered for recognising twins.
    public var maximumRecentPushes = 64
    /// The root key under which the sender puts an id of each push, if it does. Without one the payload tells.
    public var identityKey: String?
    /// The root key under which the sender puts the id of the user whom a push is for, if it does.
    public var userKey: String?

    public init() {}
}
