import Foundation
import PushDispatch

/// Something that happened in the app, for the service.
///
/// The common fields (ids, time, session) are added when it is reported.
public struct AppEvent: Hashable, Sendable {
    enum Category: String, Hashable, Sendable {
        case engagement = "Engagement"
        case profile = "Profile"
    }

    struct Member: Hashable, Sendable {
        var key: String
        var value: AttributeValue
    }

    /// Events that belong to this one: the items of a cart or an order.
    struct Children: Hashable, Sendable {
        var type: String
        /// The key under which each has the id of this event.
        var parentKey: String
        var events: [[Member]]
    }

    /// The value of `eventType`.
    public let type: String
    let category: Category
    private(set) var members: [Member] = []
    var children: Children?

    init(type: String, _ category: Category = .engagement, interaction: String? = nil) {
        self.type = type
        self.category = category
        if let interaction { add("interactionName", interaction) }
    }

    mutating func add(_ key: String, _ text: String) { members.append(Member(key: key, value: .text(text))) }

    mutating func add(_ key: String, _ value: AttributeValue) { members.append(Member(key: key, value: value)) }

    // Attributes of the app.

    /// The keys that the library sets itself.
    static let commonKeys: Set<String> = [
        "eventId", "dateTime", "deviceId", "sessionId", "eventType", "category", "channel", "latitude", "longitude",
    ]
    static let maximumAttributes = 100
    /// Of a name or an id, in UTF-8 bytes.
    static let maximumNameBytes = 255
    /// Of any other text, in UTF-8 bytes.
    static let maximumTextBytes = 4_096

    /// Adds attributes in the order of their names.
    ///
    /// - Parameter prefix: Such as `attribute`, so that `color` becomes `attributeColor`.
    mutating func addAttributes(
        _ attributes: [String: AttributeValue], prefix: String = ""
    ) throws(PersonalizationError) {
        members += try AppEvent.members(attributes, prefix: prefix, besides: Set(members.map(\.key)))
    }

    static func members(
        _ attributes: [String: AttributeValue], prefix: String, besides used: Set<String>
    ) throws(PersonalizationError) -> [Member] {
        guard attributes.count <= maximumAttributes else {
            throw .invalid("an event has \(attributes.count) attributes; at most \(maximumAttributes) are sent")
        }
        var members: [Member] = []
        for (name, value) in attributes.sorted(by: { $0.key.precedesByBytes($1.key) }) {
            try check(name, "the name of an attribute")
            let key = prefix.isEmpty ? name : prefix + name.prefix(1).uppercased() + name.dropFirst()
            guard !commonKeys.contains(key), !used.contains(key), !members.contains(where: { $0.key == key }) else {
                throw .invalid("the attribute \(key) has the name of a field of the event; give it another one")
            }
            if case .text(let text) = value {
                guard text.utf8.count <= maximumTextBytes else {
                    throw .invalid("the attribute \(key) has more than \(maximumTextBytes) bytes; shorten it")
                }
            }
            if case .decimal(let number) = value, number.isNaN {
                throw .invalid("the attribute \(key) is not a number; leave it out or send a number")
            }
            members.append(Member(key: key, value: value))
        }
        return members
    }

    /// A name or an id: not empty, not long, and without control characters.
    static func check(_ text: String, _ what: String) throws(PersonalizationError) {
        guard !text.isEmpty else { throw PersonalizationError(.missingID, "\(what) is empty; give it a value") }
        guard text.utf8.count <= maximumNameBytes else {
            throw .invalid("\(what) has more than \(maximumNameBytes) bytes; shorten it")
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw .invalid("\(what) has a control character; remove it")
        }
    }
}
