import APNSModel
import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON

/// One event of a `text/event-stream` (HTML standard, 9.2).
struct ServerSentEvent {
    var bytes: [UInt8]

    /// - Parameter data: Compact JSON, which contains no line end.
    init(name: String? = nil, id: String? = nil, _ data: JSONText) {
        bytes = []
        if let name { bytes += "event: \(name)\n".utf8 }
        if let id { bytes += "id: \(id)\n".utf8 }
        bytes += "data: ".utf8
        bytes += data.bytes
        bytes += "\n\n".utf8
    }

    private init(comment: String) { bytes = Array(": \(comment)\n\n".utf8) }

    static let connected = ServerSentEvent(comment: "connected")
    static let heartbeat = ServerSentEvent(comment: "heartbeat")

    /// A delivery to a device; its id is what `Last-Event-ID` resumes after.
    init(_ delivery: Delivery) { self.init(id: delivery.uniqueID, delivery.json) }

    /// Reports that the device asked to resume after a delivery that is no longer known.
    static let gap = ServerSentEvent(
        name: "gap",
        .object {
            $0.add(
                "why",
                "the delivery named by Last-Event-ID is not in the history of this device, so some may be missing; "
                    + "the history follows")
        })

    /// What a subscriber to the events of a world gets first.
    ///
    /// Each id names what the client has when it has read that far, so that it misses nothing if it is disconnected there.
    static func opening(_ subscription: EventSubscription) -> [ServerSentEvent] {
        guard let missed = subscription.missed else { return [connected, missedEvents(before: subscription.start)] }
        // With an id, so that a client resumes from here even if it is disconnected before the first event.
        guard !missed.isEmpty else { return [ServerSentEvent(comment: "connected\nid: \(subscription.start)")] }
        return [connected] + missed.map { ServerSentEvent($0.event, $0.id) }
    }

    /// Reports that the client asked to resume after an event that is no longer known.
    ///
    /// - Parameter start: The newest event, which the client resumes after.
    private static func missedEvents(before start: EventID) -> ServerSentEvent {
        ServerSentEvent(
            name: "gap", id: start.description,
            .object {
                $0.add(
                    "why",
                    "the event named by Last-Event-ID is no longer kept, so some may be missing; read the lists again")
            })
    }

    /// Reports the new device token of the device's app.
    init(movedTo token: DeviceToken) { self.init(name: "token", .object { $0.add("token", token.hex) }) }

    /// An event of a world; its id is what `Last-Event-ID` resumes after.
    init(_ event: GatewayEvent, _ id: EventID) { self.init(name: event.name, id: id.description, event.json) }
}
