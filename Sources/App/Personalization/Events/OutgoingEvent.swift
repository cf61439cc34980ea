import EventDelivery
import Foundation
import PushDispatch

/// The fields that every event has, from the moment of its capture (docs/reference/personalization.md 4.1).
struct EventHeader: Hashable, Sendable {
    var stamp: EventStamp
    var deviceID: String
    var sessionID: String
    var location: GeoLocation?
}

/// Where the device is, if the app wants to report it.
public struct GeoLocation: Hashable, Sendable {
    /// In degrees.
    public let latitude: Double
    /// In degrees.
    public let longitude: Double

    /// Fails unless the latitude is from -90 to 90 and the longitude from -180 to 180.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// An event as it goes into the queue. It is stored while it waits for that, so that nothing is lost between two files.
struct OutgoingEvent: Hashable, Sendable, Codable {
    let id: String
    let milliseconds: Int64
    let kind: String
    let purpose: String
    let priority: UInt8
    let holdsOrder: Bool
    /// Whether it tells who the person is.
    let isProfile: Bool
    let body: String
    /// What the events have in common that the queue takes all or none; nil for an event alone.
    var group: String?

    init(
        type: String, category: AppEvent.Category, header: EventHeader, purpose: ConsentPurpose,
        priority: EventPriority = .normal, holdsOrder: Bool = false, members: [(key: String, value: AttributeValue)]
    ) {
        id = header.stamp.id.description
        milliseconds = header.stamp.time.milliseconds
        kind = type
        self.purpose = purpose.rawValue
        self.priority = priority.rawValue
        self.holdsOrder = holdsOrder
        isProfile = category == .profile
        var all: [(key: String, value: AttributeValue)] = [
            ("eventId", .text(id)), ("dateTime", .text(header.stamp.time.description)),
            ("deviceId", .text(header.deviceID)), ("sessionId", .text(header.sessionID)),
            ("category", .text(category.rawValue)), ("channel", "mobile"), ("eventType", .text(type)),
        ]
        if let location = header.location {
            all.append(("latitude", .degrees(location.latitude)))
            all.append(("longitude", .degrees(location.longitude)))
        }
        var bytes = [UInt8(ascii: "{")]
        for (index, member) in (all + members).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONValue.append(member.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.append(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        body = String(decoding: bytes, as: UTF8.self)
    }

    /// As the queue takes it; nil if the stored id is damaged.
    func captured(to destination: DestinationName) -> CapturedEvent? {
        guard let id = EventID(id) else { return nil }
        return CapturedEvent(
            EventStamp(id: id, time: EventTime(milliseconds: milliseconds)), kind: kind, to: destination,
            purpose: ConsentPurpose(purpose), priority: EventPriority(rawValue: priority) ?? .normal,
            holdsOrder: holdsOrder, body: Array(body.utf8))
    }
}

extension AttributeValue {
    /// The shortest decimal that reads as this number.
    fileprivate static func degrees(_ number: Double) -> AttributeValue {
        .decimal(Decimal(string: "\(number)", locale: Locale(identifier: "en_US_POSIX")) ?? Decimal(number))
    }
}

extension AppEvent {
    /// The event, and the ones that belong to it.
    func outgoing(
        _ header: EventHeader, purpose: ConsentPurpose, priority: EventPriority = .normal, holdsOrder: Bool = false,
        makeStamp: () -> EventStamp
    ) -> [OutgoingEvent] {
        func event(_ type: String, _ header: EventHeader, _ members: [Member]) -> OutgoingEvent {
            OutgoingEvent(
                type: type, category: category, header: header, purpose: purpose, priority: priority,
                holdsOrder: holdsOrder, members: members.map { ($0.key, $0.value) })
        }
        var events = [event(type, header, members)]
        if let children {
            for members in children.events {
                // The items are of the same moment, whatever the clock says by now.
                var child = header
                child.stamp.id = makeStamp().id
                let parent = Member(key: children.parentKey, value: .text(header.stamp.id.description))
                events.append(event(children.type, child, [parent] + members))
            }
        }
        return events
    }
}
