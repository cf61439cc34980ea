/// A type of notice that the CRM creates, with the actions for the user (docs/reference/selective-sync.md 4.5).
///
/// `Codable`, so that an app can store the types and has its categories at the next launch without a request.
public struct NotificationType: Hashable, Sendable, Codable {
    public struct Action: Hashable, Sendable, Codable {
        /// The type of an action that the CRM performs without opening the app.
        public static let apiType = "NotificationApiAction"

        public var name: String
        /// What the app sends to the CRM when the user chooses the action.
        public var actionKey: String
        /// The title that the user sees.
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
    /// Reads a type in the CRM's JSON. A group without a name and an action without a key are left out, since they
    /// cannot be used. Fails for anything but an object with a `type`.
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
