package import PushDispatch
import ServiceHost

/// An event that passed the checks of its form.
package struct ServiceEvent: Hashable, Sendable {
    package enum Category: String, Hashable, Sendable, CaseIterable {
        case engagement = "Engagement"
        case profile = "Profile"
    }

    package var id: String
    /// Capture time in milliseconds since 1970.
    package var time: Int64
    package var deviceID: String
    package var sessionID: String
    package var type: String
    package var category: Category
    package var interactionName: String?
    package var personalizationID: String?
    package var contentID: String?
    /// As received.
    package var members: [String: JSONValue]
    /// The size of the members as text, at the least.
    package let bytes: Int

    init(
        id: String, time: Int64, deviceID: String, sessionID: String, type: String, category: Category,
        interactionName: String?, personalizationID: String?, contentID: String?, members: [String: JSONValue]
    ) {
        self.id = id
        self.time = time
        self.deviceID = deviceID
        self.sessionID = sessionID
        self.type = type
        self.category = category
        self.interactionName = interactionName
        self.personalizationID = personalizationID
        self.contentID = contentID
        self.members = members
        bytes = JSONValue.leastBytes(of: members)
    }

    /// What a person did with a decision.
    package enum Action: String, Hashable, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
        case impression, click, dismissal, open
    }

    /// Nil for everything but engagement with a decision and the open of a push.
    package var action: Action? { ServiceEvent.action(type: type, interactionName) }

    /// The names of all three naming profiles.
    static func action(type: String, _ name: String?) -> Action? {
        guard let name else { return nil }
        switch (type, name) {
        case ("catalog", "catalog-object-view-start"), ("userEngagement", "personalization-view"): return .impression
        case ("catalog", "catalog-object-click"), ("userEngagement", "personalization-click"): return .click
        case ("catalog", "catalog-object-dismiss"), ("userEngagement", "personalization-dismiss"): return .dismissal
        case ("engagement", "Push Notification Open"): return .open
        case ("engagement", _):
            // The guide's style, such as "View Product Recommendation".
            guard name.hasSuffix(" Recommendation") else { return nil }
            if name.hasPrefix("View ") { return .impression }
            if name.hasPrefix("Click ") { return .click }
            return name.hasPrefix("Dismiss ") ? .dismissal : nil
        default: return nil
        }
    }

    /// What a content id names.
    package enum Content: Hashable, Sendable {
        /// `{personalizationId}`: content without items.
        case whole
        /// `{personalizationId}:{index}`, from 0.
        case item(Int)
    }

    /// Nil without a content id, and for one that is not of this decision.
    package var content: Content? {
        guard let personalizationID, let contentID else { return nil }
        guard contentID != personalizationID else { return .whole }
        let prefix = personalizationID + ":"
        guard contentID.utf8.starts(with: prefix.utf8) else { return nil }
        let digits = contentID.utf8.dropFirst(prefix.utf8.count)
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }), let index = Int(Substring(digits)) else { return nil }
        return .item(index)
    }

    func text(_ key: String) -> String? { members[key].flatMap { ScalarText.text($0) } }
}
