/// Something that an app reports to a service.
///
/// ```swift
/// let stamp = queue.stamp()
/// let body = #"{"eventId":"\#(stamp.id)","dateTime":"\#(stamp.time)","eventType":"screen","screenName":"Home"}"#
/// try await queue.capture(
///     CapturedEvent(stamp, kind: "screen", to: "shop", purpose: "analytics", body: Array(body.utf8)))
/// ```
public struct CapturedEvent: Hashable, Sendable {
    public var stamp: EventStamp
    /// The kind of event, for reports: `identity`, `screen`. It should contain nothing personal.
    public var kind: String
    public var destination: DestinationName
    /// The purpose that needs consent; nil if the event may always be sent.
    public var purpose: ConsentPurpose?
    /// What events of a batch can be grouped by, such as a profile's id.
    public var group: String?
    public var priority = EventPriority.normal
    /// No event of the same destination that may be sent moves past this one, in either direction, whatever its priority. Use
    /// it for events that change to whom the events after them belong, such as a log-in. While it waits for consent itself,
    /// events that may be sent do pass it.
    public var holdsOrder = false
    /// The event as the service expects it in a batch, usually a JSON object.
    public var body: [UInt8]

    public init(
        _ stamp: EventStamp, kind: String, to destination: DestinationName, purpose: ConsentPurpose? = nil,
        group: String? = nil, priority: EventPriority = .normal, holdsOrder: Bool = false, body: [UInt8]
    ) {
        self.stamp = stamp
        self.kind = kind
        self.destination = destination
        self.purpose = purpose
        self.group = group
        self.priority = priority
        self.holdsOrder = holdsOrder
        self.body = body
    }

    public var id: EventID { stamp.id }

    /// What the event counts against the limit of bytes: the body, its texts and a fixed part for storing it.
    public var bytes: Int {
        64 + body.count + kind.utf8.count + (group?.utf8.count ?? 0) + (purpose?.rawValue.utf8.count ?? 0)
    }
}

/// Which events are sent first and dropped last. Events of equal priority are sent in the order of their capture.
public enum EventPriority: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    case low
    case normal
    case high

    public static func < (left: EventPriority, right: EventPriority) -> Bool { left.rawValue < right.rawValue }
}

/// The name of a destination. It is stored with each event, so it must stay the same in later versions of an app.
public struct DestinationName: Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String

    public init(_ rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral value: String) { rawValue = value }

    public var description: String { rawValue }
}
