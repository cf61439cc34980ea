import PushDispatch
import Testing

struct NotificationCategoryTests {
    private static let visit: JSONValue = [
        "type": "custom", "apiName": "Visit_Planned", "label": "Visit planned",
        "actionGroups": [
            [
                "name": "visit",
                "actions": [
                    ["name": "accept", "actionKey": "a1", "label": "Accept", "type": "NotificationApiAction"],
                    ["name": "show", "actionKey": "a2", "label": "Show", "type": "OpenRecord"],
                ],
            ]
        ],
    ]

    @Test func `each action group is a category of its name`() throws {
        let type = try #require(NotificationType(Self.visit))
        let categories = NotificationCategory.categories(of: [type])
        #expect(categories.map(\.identifier) == ["visit"])
        #expect(categories[0].actions.map(\.identifier) == ["a1", "a2"])
        #expect(categories[0].actions.map(\.title) == ["Accept", "Show"])
        #expect(categories[0].actions.map(\.needsUnlockedDevice) == [true, false])
    }

    @Test func `groups of one name are one category, with each action once`() {
        let shared = NotificationType.Action(name: "a", actionKey: "a", label: "A", type: "")
        let own = NotificationType.Action(name: "b", actionKey: "b", label: "B", type: "")
        let types = [
            NotificationType(
                type: "1", apiName: "1", label: "", actionGroups: [.init(name: "g", actions: [shared, shared])]),
            NotificationType(
                type: "2", apiName: "2", label: "",
                actionGroups: [.init(name: "h", actions: []), .init(name: "g", actions: [own, shared])]),
        ]
        let categories = NotificationCategory.categories(of: types)
        #expect(categories.map(\.identifier) == ["g", "h"])
        #expect(categories.map { $0.actions.map(\.identifier) } == [["a", "b"], []])
    }

    @Test func `groups and actions without a name are left out, and missing labels have defaults`() throws {
        let type = try #require(
            NotificationType([
                "type": "custom",
                "actionGroups": [
                    7, ["actions": []], ["name": ""],
                    ["name": "g", "actions": ["x", ["actionKey": ""], ["actionKey": "k"]]],
                ],
            ]))
        #expect(type.apiName == "custom" && type.label == "custom")
        #expect(type.actionGroups.map(\.name) == ["g"])
        #expect(
            type.actionGroups[0].actions == [NotificationType.Action(name: "k", actionKey: "k", label: "k", type: "")])
        for value: JSONValue in [.null, [], "custom", ["apiName": "Visit"], ["type": 7]] {
            #expect(NotificationType(value) == nil)
        }
    }
}
