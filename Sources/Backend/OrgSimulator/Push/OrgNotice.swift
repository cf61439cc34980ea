package import PushDispatch
package import SelectiveSync

/// An in-app notice: what one user finds under the bell (docs/reference/selective-sync.md 4.5).
package struct OrgNotice: Hashable, Sendable {
    package let id: String
    package let recipient: RecordID
    /// API name of its type.
    package let type: String
    package let title: String
    package let body: String
    /// The record that it is about.
    package let target: RecordID?
    package let created: ServerDate
    package internal(set) var lastModified: ServerDate
    package internal(set) var isRead = false
    /// Whether it was on the user's screen, read or not.
    package internal(set) var isSeen = false
}

/// A type of notice, as an administrator sets it up.
package struct OrgNoticeType: Hashable, Sendable {
    /// With the actions of its groups.
    package var definition: NotificationType
    /// API name of the app that its pushes go through.
    package var application = OutgoingPush.usualApplication
    /// What the org says when an action is taken, by the action's key.
    package var messages: [String: String] = [:]

    package init(_ definition: NotificationType) { self.definition = definition }

    package var apiName: String { definition.apiName }

    func action(_ key: String) -> NotificationType.Action? {
        definition.actionGroups.lazy.flatMap(\.actions).first { $0.actionKey == key }
    }
}
