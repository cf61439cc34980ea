/// The actions that the system shows for a notice: one category for each action group, with the group's name
/// (docs/reference/selective-sync.md 4.5).
public struct NotificationCategory: Hashable, Sendable {
    public struct Action: Hashable, Sendable {
        /// The CRM's key of the action, which the system passes back when the user chooses it.
        public var identifier: String
        public var title: String
        /// Whether the CRM performs the action. It needs an unlocked device and does not open the app. Any other action
        /// opens the app.
        public var needsUnlockedDevice: Bool

        public init(identifier: String, title: String, needsUnlockedDevice: Bool) {
            self.identifier = identifier
            self.title = title
            self.needsUnlockedDevice = needsUnlockedDevice
        }
    }

    public var identifier: String
    /// In the order in which the user sees them.
    public var actions: [Action]

    public init(identifier: String, actions: [Action]) {
        self.identifier = identifier
        self.actions = actions
    }

    /// The categories of all action groups, in the order of their first appearance. Groups with the same name are one
    /// category, since the system identifies it by name, and an action that is in several of them appears once.
    public static func categories(of types: [NotificationType]) -> [NotificationCategory] {
        var categories: [NotificationCategory] = []
        var places: [String: Int] = [:]
        var seen: [String: Set<String>] = [:]
        for group in types.flatMap(\.actionGroups) {
            let place = places[group.name] ?? categories.count
            if place == categories.count {
                places[group.name] = place
                categories.append(NotificationCategory(identifier: group.name, actions: []))
            }
            for action in group.actions where seen[group.name, default: []].insert(action.actionKey).inserted {
                categories[place].actions.append(Action(action))
            }
        }
        return categories
    }
}

extension NotificationCategory.Action {
    fileprivate init(_ action: NotificationType.Action) {
        self.init(
            identifier: action.actionKey, title: action.label,
            needsUnlockedDevice: action.type == NotificationType.Action.apiType)
    }
}
