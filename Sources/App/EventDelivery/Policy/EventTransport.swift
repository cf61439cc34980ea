/// Sends batches to one service. An app or a client library supplies it.
public protocol EventTransport: Sendable {
    /// Sends one request and returns the answer.
    ///
    /// When its task is cancelled, the request took too long or its events were withdrawn: return soon. The next batch of this
    /// destination waits until this call returns, because two requests at a time could arrive in another order.
    func send(_ batch: EventBatch) async -> TransportAnswer
}

/// A transport that calls a closure.
public struct ClosureTransport: EventTransport {
    private let body: @Sendable (EventBatch) async -> TransportAnswer

    public init(_ body: @escaping @Sendable (EventBatch) async -> TransportAnswer) { self.body = body }

    public func send(_ batch: EventBatch) async -> TransportAnswer { await body(batch) }
}

/// The events of one request.
public struct EventBatch: Sendable {
    public var destination: DestinationName
    /// In the order in which the service should take them. They have one group if the policy does not mix groups.
    public var events: [CapturedEvent]
    /// The events in the form of the policy.
    public var body: [UInt8]
    public var contentType: String
    /// The last answer said that the credentials are not valid: get new ones first.
    public var renewsCredentials: Bool
    /// Failures in a row before this request.
    public var failures: Int

    /// The group of the first event.
    public var group: String? { events.first?.group }
}

/// What came back for a batch.
public enum TransportAnswer: Hashable, Sendable {
    /// The service answered.
    ///
    /// - Parameter retryAfterMilliseconds: The pause that it asks for, from the header `Retry-After`.
    case status(Int, retryAfterMilliseconds: Int64? = nil)
    /// There is no answer, so the service may have the events. They are sent again with the same ids.
    case noAnswer
}

/// A service, what is known about it, and how it is reached.
public struct EventDestination: Sendable {
    public var name: DestinationName
    public var policy: DestinationPolicy
    public var transport: any EventTransport

    public init(_ name: DestinationName, policy: DestinationPolicy = .init(), transport: any EventTransport) {
        self.name = name
        self.policy = policy
        self.transport = transport
    }
}
