import Foundation
import PushDispatch
import Testing

struct PushTargetTests {
    private static let id = "001xx000003DGb2AAG"
    private let routes: PushRoutes

    init() {
        var routes = PushRoutes(.standard, handler: ScriptedHandler { _, _, _ in HandlerReport(changed: 0) })
        routes.register(
            PushRoute(
                "REMINDER", as: [String: String].self,
                hint: {
                    $0["id"].flatMap { RecordID($0) }.map { Hint(type: "REMINDER", object: "Visit", records: [$0]) }
                },
                handle: { _, _ in HandlerReport(changed: 0) }))
        self.routes = routes
    }

    private func push(_ json: String) -> Push { Push(json: Data(json.utf8)) }

    @Test func `a push for records opens them`() throws {
        let id = try #require(RecordID(Self.id))
        let other = try #require(RecordID("0xIxx0000000001EAA"))
        #expect(
            routes.target(of: push(#"{"type":"ACCOUNT_UPDATE","accountId":"\#(Self.id)"}"#))
                == .record(object: "Account", id))
        #expect(
            routes.target(of: push(#"{"type":"INTERACTION","recordIds":["\#(Self.id)","\#(other)"]}"#))
                == .records(object: "Interaction", [id, other]))
        #expect(routes.target(of: push(#"{"type":"REMINDER","id":"\#(Self.id)"}"#)) == .record(object: "Visit", id))
    }

    @Test func `a push without records is a message, and an invalid one is unknown`() {
        #expect(routes.target(of: push(#"{"type":"TEST"}"#)) == .message(type: "TEST"))
        #expect(routes.target(of: push(#"{"type":"REMINDER","text":"x"}"#)) == .message(type: "REMINDER"))
        #expect(routes.target(of: push(#"{"type":"OTHER"}"#)) == .unknown)
        #expect(routes.target(of: push(#"{"type":"ACCOUNT_UPDATE"}"#)) == .unknown)
        #expect(routes.target(of: push("[]")) == .unknown)
    }

    @Test func `types that only name records show nothing on screen`() {
        let shown = ["ACCOUNT_UPDATE", "INTERACTION", "TEST", "REMINDER", "OTHER"].filter {
            routes.isShownInForeground(push(#"{"aps":{"alert":"x"},"type":"\#($0)"}"#))
        }
        #expect(shown == ["TEST", "REMINDER", "OTHER"])
        #expect(routes.isShownInForeground(push("{}")))
    }

    @Test(arguments: [
        (PushTap.Action.open, "com.apple.UNNotificationDefaultActionIdentifier"),
        (.dismiss, "com.apple.UNNotificationDismissActionIdentifier"), (.custom("approve"), "approve"),
    ])
    func `an action has the identifier of the system`(action: PushTap.Action, identifier: String) {
        #expect(PushTap.Action(identifier: identifier) == action)
        #expect(action.identifier == identifier)
    }
}
