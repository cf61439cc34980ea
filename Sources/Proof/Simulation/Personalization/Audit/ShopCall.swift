import EventDelivery

/// A call of the app whose event, if it has one, carries a text of its own.
///
/// @unchecked: only the thread of the simulation uses it.
final class ShopCall: @unchecked Sendable {
    let name: String
    /// In the event's body; unlike every other text of the run.
    let marker: String
    let began: Int
    /// Who may have used the app while the call was under way.
    var users: Set<String?>
    /// What may have been the answer about its purpose.
    var answers: Set<ConsentState>
    /// The session in which it began.
    let session: Int
    /// Whether nothing that starts a session happened meanwhile.
    var isSteady: Bool
    /// Whether the service refuses the event, and any batch with it.
    var isBad = false
    /// What came on the screen, for an impression.
    var content: String?
    /// Whether the call has ended and its event has to arrive.
    var isKept = false

    init(
        _ name: String, marker: String, began: Int, users: Set<String?>, answers: Set<ConsentState>, session: Int,
        isSteady: Bool
    ) {
        self.name = name
        self.marker = marker
        self.began = began
        self.users = users
        self.answers = answers
        self.session = session
        self.isSteady = isSteady
    }
}

/// An event in the queue of a device.
struct KeptEvent {
    let id: EventID
    /// When it was stored, in the order of the run's numbers.
    let stored: Int
    let kind: String
    let purpose: ConsentPurpose?
    let isRecord: Bool
    let call: ShopCall?
    /// The sequences under which it is in the store. An event from the state can be there twice, with one id.
    var sequences: Set<Int64>
    var copies = 1
    var drop: DroppedEvent?
    var drops = 0
    /// The process that has reported the drop.
    var droppedBy = 0
    /// Whether it was removed by the last call of a process, which could report nothing any more.
    var hasVanished = false
    /// Whether it may have waited for consent.
    var wasBlocked: Bool
}

/// Reads single members of an event's body.
struct EventText {
    let body: String

    init(_ bytes: [UInt8]) { body = String(decoding: bytes, as: UTF8.self) }

    subscript(key: String) -> String? {
        guard let range = body.firstRange(of: "\"\(key)\":\"") else { return nil }
        return String(body[range.upperBound...].prefix { $0 != "\"" })
    }

    /// The text of the call that the event is from.
    var marker: String? { self["marker"] ?? self["attributeMarker"] ?? self["campaign"] }
}
