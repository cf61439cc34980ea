/// A type of the CRM's own notices, with what a user can do about one (docs/reference/selective-sync.md 4.5).
///
/// `Codable` for the app to keep, so that its categories are known at the next launch before the CRM was asked.
public struct NotificationType: Hashable, Sendable, Codable {
    public struct Action: Hashable, Sendable, Codable {
        /// The type of an action that the CRM performs, without the app being opened.
        public static let apiType = "NotificationApiAction"

        public var name: String
        /// What the CRM is told when the user takes it.
        public var actionKey: String
        /// What the user reads.
        public var label: String
        public var type: String

        public init(name: String, actionKey: String, label: String, type: String) {
            self.name = name
            self.actionKey = actionKey
            self.label = label
            self.type = type
        }
    }

    public struct ActionGroup: Hashable, Sendable, Codable {
        public var name: String
        public var actions: [Action]

        public init(name: String, actions: [Action]) {
            self.name = name
            self.actions = actions
        }
    }

    public var type: String
    public var apiName: String
    public var label: String
    public var actionGroups: [ActionGroup]

    public init(type: String, apiName: String, label: String, actionGroups: [ActionGroup] = []) {
        self.type = type
        self.apiName = apiName
        self.label = label
        self.actionGroups = actionGroups
    }
}

extension NotificationType {
    /// Reads a type as the CRM writes it. A group without a name and an action without a key are left out, for nothing
    /// could be done with them.
    ///
    /// - Returns: Nil for what is not an object with a `type`.
    public init?(_ value: JSONValue) {
        guard let members = value.object, let type = members["type"]?.string else { return nil }
        let apiName = members["apiName"]?.string ?? type
        self.init(
            type: type, apiName: apiName, label: members["label"]?.string ?? apiName,
            actionGroups: (members["actionGroups"]?.array ?? []).compactMap { ActionGroup($0) })
    }
}

extension NotificationType.ActionGroup {
    fileprivate init?(_ value: JSONValue) {
        guard let members = value.object, let name = members["name"]?.string, !name.isEmpty else { return nil }
        self.init(
            name: name, actions: (members["actions"]?.array ?? []).compactMap { NotificationType.Action($0) })
    }
}

extension NotificationType.Action {
    fileprivate init?(_ value: JSONValue) {
        guard let members = value.object, let key = members["actionKey"]?.string, !key.isEmpty else { return nil }
        let name = members["name"]?.string ?? key
        self.init(
            name: name, actionKey: key, label: members["label"]?.string ?? name, type: members["type"]?.string ?? "")
    }
}
