import APNSModel
import GatewayCore
import GatewayJSON
import PayloadJSON

/// One event of a `text/event-stream` (HTML standard, 9.2).
struct ServerSentEvent {
    var bytes: [UInt8]

    /// - Parameter data: Compact JSON, which has no line end in it.
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

    /// What a device gets; its id is what `Last-Event-ID` resumes behind.
    init(_ delivery: Delivery) { self.init(id: delivery.uniqueID, delivery.json) }

    /// Tells a device that it asked to resume behind a delivery that is not known any more.
    static let gap = ServerSentEvent(
        name: "gap",
        .object {
            $0.add(
                "why",
                "the delivery named by Last-Event-ID is not in the history of this device, so some may be missing; "
                    + "what is kept follows")
        })

    /// Tells a device which device token its app has now.
    init(movedTo token: DeviceToken) { self.init(name: "token", .object { $0.add("token", token.hex) }) }

    init(_ event: GatewayEvent) { self.init(name: event.name, event.json) }
}
