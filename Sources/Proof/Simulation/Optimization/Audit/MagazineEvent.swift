import EventDelivery
import Optimization
import OptimizationSimulator
import PushDispatch

/// An event as the library has stored it.
struct MagazineEvent {
    let id: String
    let queue: ProfileEventLog.Queue
    let type: String
    /// Of the call; nil for an event of a view or a tap on the screen.
    let marker: String?
    let viewID: String?
    let duration: Int64?
    let isConsentGiven: Bool?
    let person: Int
    /// How often it was in a request.
    var requests = 0
    var isDropped = false
    /// Whether it was dropped while it was in a request. The request may still leave the device.
    var mayHaveArrived = false
    /// When the store removed it.
    var removed: Int64?
    /// Lost with the memory of a process.
    var isLost = false

    /// Nil for what is not JSON.
    init?(_ event: CapturedEvent, person: Int) {
        guard let members = MagazineEvent.json(event.body)?.object else { return nil }
        id = "\(event.id)".lowercased()
        queue = event.destination == .optimizationProfile ? .profile : .analytics
        type = members["type"]?.string ?? ""
        marker = MagazineEvent.marker(members)
        viewID = members["viewId"]?.string
        duration = members["viewDurationMs"].flatMap { if case .integer(let number) = $0 { number } else { nil } }
        isConsentGiven = members["context"]?.object?["gdpr"]?.object?["isConsentGiven"]?.flag
        self.person = person
    }

    /// Its type, and what it is about.
    var name: String { "\(type) (\(marker ?? viewID ?? "a tap")) for the \(queue.rawValue) queue" }

    static func json(_ bytes: [UInt8]) -> JSONValue? {
        let limits = JSONLimits(maximumBytes: 64 << 20, maximumDepth: 64, maximumValues: 1_000_000)
        return try? JSONReader.read(bytes, limits: limits)
    }

    /// Where each kind of call has put it.
    static func marker(_ members: [String: JSONValue]) -> String? {
        let places = [
            members["name"], members["properties"]?.object?["marker"], members["traits"]?.object?["marker"],
            members["viewId"], members["componentId"],
        ]
        return places.compactMap { $0?.string }.first { $0.hasPrefix("m") && $0.hasSuffix("x") }
    }
}
