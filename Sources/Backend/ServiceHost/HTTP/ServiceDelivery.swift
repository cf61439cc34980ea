/// What a server does with the answer to a request.
package enum ServiceDelivery: Sendable {
    case response(ServiceResponse)
    /// Writes the head and this many bytes of the body, and closes the connection.
    case cut(ServiceResponse, bytes: Int)
    /// Closes the connection without an answer.
    case close
    /// Never answers.
    case silence
    /// Server-sent events, until they end or the client leaves.
    case stream(ServiceStream)
}

/// The events of a subscriber, each as the bytes of a `text/event-stream`.
package struct ServiceStream: Sendable {
    package let events: AsyncStream<[UInt8]>
    /// Called with the length of an event once it is written.
    package let onWritten: @Sendable (Int) -> Void
    /// Called before the first event is written, with what closes the connection at once. For a client that is too far
    /// behind: a write under way waits for the client.
    package let onStart: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Called once the stream has ended, for whatever reason.
    package var onEnd: @Sendable () -> Void

    package init(
        _ events: AsyncStream<[UInt8]>, onWritten: @escaping @Sendable (Int) -> Void,
        onStart: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.events = events
        self.onWritten = onWritten
        self.onStart = onStart
        self.onEnd = onEnd
    }
}
