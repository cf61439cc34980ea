public import PushDispatch

/// One call of a completion handler.
public struct PhoneAnswer: Hashable, Sendable {
    public let entryPoint: EntryPoint
    /// What the app told; nil where the completion of the callback tells nothing of the kind. A dispatcher has a result
    /// for each callback.
    public let result: PushResult?
    /// After the callback was called, in the phone's time.
    public let milliseconds: Int64
}
