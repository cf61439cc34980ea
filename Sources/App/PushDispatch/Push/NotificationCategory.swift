/// What the system has to know to show the actions of a notice: one category for each action group, with the group's name
/// (docs/reference/selective-sync.md 4.5).
public struct NotificationCategory: Hashable, Sendable {
    public struct Action: Hashable, Sendable {
        /// The CRM's key of the action, which comes back when the user takes it.
        public var identifier: String
        public var title: String
        /// Whether the CRM performs it: the device has to be unlocked for it, and the app stays where it is. Any other
        /// action opens the app.
        public var needsUnlockedDevice: Bool

        public var opensApp: Bool { !needsUnlockedDevice }

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

    /// The categories of all action groups, in the order of their first appearance. Groups of the same name are one
    /// category, since the system knows it by the name alone, and an action that several of them have is in it once.
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
