/// Why an event will not be sent, or not again.
///
/// Not an enum, because later versions may have more reasons.
public struct DropReason: Hashable, Sendable, CustomStringConvertible {
    public let code: String
    /// The status of the service, where it refused the event.
    public var status: Int?

    public init(_ code: String, status: Int? = nil) {
        self.code = code
        self.status = status
    }

    public var description: String { status.map { "\(code) (\($0))" } ?? code }
}

extension DropReason {
    /// There was no space in the queue.
    public static let queueFull = DropReason("queue-full")
    /// The event alone is larger than its destination allows.
    public static let tooLarge = DropReason("too-large")
    /// There is no consent, and the destination does not keep events until there is.
    public static let consent = DropReason("consent")
    /// The person opted out while the event was in the queue.
    public static let optedOut = DropReason("opted-out")
    /// It records an answer that was replaced by another one before the store could be opened.
    public static let answeredAgain = DropReason("answered-again")
    /// The app removed it.
    public static let removed = DropReason("removed")
    /// No destination of this name was given to the queue.
    public static let unknownDestination = DropReason("unknown-destination")
    /// The event can no longer be read from the store.
    public static let unreadable = DropReason("unreadable")

    /// The service refused it, and would again.
    public static func refused(status: Int) -> DropReason { DropReason("refused", status: status) }
}

/// An event that will not be sent, or not again.
public struct DroppedEvent: Hashable, Sendable {
    public var id: EventID
    public var kind: String
    public var destination: DestinationName
    public var reason: DropReason
    /// Whether it was sent and no answer had come yet, so that the service may have it.
    public var mayHaveArrived = false
}
