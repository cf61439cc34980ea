public import PushDispatch

/// One call of a completion handler.
public struct PhoneAnswer: Hashable, Sendable {
    public let entryPoint: EntryPoint
    /// Nil for a completion handler that takes no result. A dispatcher has a result for every callback.
    public let result: PushResult?
    /// Time since the callback was called, on the phone's clock.
    public let milliseconds: Int64
}
