public import APNSModel

/// What sends notifications: a `PushProvider`, or a fake in tests.
///
/// Code that depends on it, and not on `PushProvider`, is tested with `RecordingPushSender` of the module
/// `APNSSenderTesting`, without a connection.
public protocol PushSending: Sendable {
    /// The results of a bulk send.
    associatedtype Results: AsyncSequence<APNSSendResult, any Error> & Sendable

    /// Sends one notification and waits for the answer, as `PushProvider.send(_:timeout:)`.
    ///
    /// - Parameter timeout: The time from now to the answer; nil is the sender's own.
    /// - Returns: The gateway's answer, which may be a refusal.
    /// - Throws: `APNSSendError` when there is no answer.
    func send(_ notification: APNSNotification, timeout: Duration?) async throws(APNSSendError) -> Reply

    /// Sends every notification of `source`, as `PushProvider.send(all:window:timeout:)`.
    ///
    /// - Parameters:
    ///   - window: The maximum of notifications between the source and the reader of the results; nil is the sender's own.
    ///   - timeout: The time for each notification; nil is the sender's own.
    func send<Source: AsyncSequence & Sendable>(
        all source: Source, window: Int?, timeout: Duration?
    ) -> Results where Source.Element == APNSNotification
}

extension PushSending {
    public func send(_ notification: APNSNotification) async throws(APNSSendError) -> Reply {
        try await send(notification, timeout: nil)
    }

    public func send<Source: AsyncSequence & Sendable>(
        all source: Source
    ) -> Results where Source.Element == APNSNotification { send(all: source, window: nil, timeout: nil) }
}

extension PushProvider: PushSending {}
