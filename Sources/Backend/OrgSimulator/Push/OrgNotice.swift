package import PushDispatch
package import SelectiveSync

/// An in-app notice of one user (docs/reference/selective-sync.md 4.5).
package struct OrgNotice: Hashable, Sendable {
    package let id: String
    package let recipient: RecordID
    /// API name of its type.
    package let type: String
    package let title: String
    package let body: String
    /// The record that the notice is about.
    package let target: RecordID?
    package let created: ServerDate
    package internal(set) var lastModified: ServerDate
    package internal(set) var isRead = false
    /// Whether the user has seen the notice in the list, read or unread.
    package internal(set) var isSeen = false
}

/// A type of notice with its settings.
package struct OrgNoticeType: Hashable, Sendable {
    /// The type as the REST interface returns it, with its groups of actions.
    package var definition: NotificationType
    /// The API name of the app that sends its pushes.
    package var application = OutgoingPush.defaultApplication
    /// The org's answer to an action, by the action's key.
    package var messages: [String: String] = [:]

    package init(_ definition: NotificationType) { self.definition = definition }

    package var apiName: String { definition.apiName }

    func action(_ key: String) -> NotificationType.Action? {
        definition.actionGroups.lazy.flatMap(\.actions).first { $0.actionKey == key }
    }
}
