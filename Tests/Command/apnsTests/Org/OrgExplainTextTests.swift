import PushDispatch
import Testing

@testable import apns

struct OrgExplainTextTests {
    private func lines(_ json: JSONValue) -> [String] { OrgExplainText(style: .plain).lines(json) }

    private static func change(_ members: [String: JSONValue]) -> JSONValue {
        let standard: [String: JSONValue] = [
            "change": 7, "time": "T", "user": ["name": "ada"], "source": "browser", "saved": true, "records": [],
            "pushes": [], "others": [], "other-changes": [], "more-others": 0,
        ]
        return .object(standard.merging(members) { _, new in new })
    }

    private static func record(_ id: String, fired: Bool = true, why: String = "w") -> JSONValue {
        [
            "id": .string(id), "object": "Account", "fields": ["Name", "Type"],
            "trigger": ["fired": .bool(fired), "why": .string(why), "flaws": []],
        ]
    }

    @Test func `a change shows its steps in order`() {
        let device: JSONValue = [
            "device": "ab12", "registered": "R", "sent": true, "why": "registered", "flaws": ["own-echo"],
            "gateway": ["status": 200], "delivery": ["stage": "delivered", "time": "D", "why": "connected"],
        ]
        let change = Self.change([
            "other-changes": [2, 9], "records": [Self.record("001")],
            "pushes": [
                [
                    "type": "T", "app": "Agent", "user": ["name": "ada"], "why": "to the owner", "deferred": true,
                    "hidden-records": 2, "records": ["001", "002", "003", "004"], "devices": [device], "flaws": [],
                ]
            ],
            "others": [["user": ["name": "bob"], "devices": 2, "why": "no target", "flaws": ["hard-wired-user"]]],
            "more-others": 3,
        ])
        #expect(
            lines(change) == [
                "Change 7 at T: ada in a browser, saved (the record's other changes: 2, 9)",
                "", "001 of Account: Name, Type changed", "  trigger  fired: w",
                "",
                "T through Agent to ada: to the owner; sent in a later transaction, because of the limit of push "
                    + "calls; the user may not see 2 of its records",
                "  records  001, 002, 003 and 1 more",
                "  device ab12, registered R", "    org      sent: registered (flaw own-echo)", "    gateway  200",
                "    device   delivered at D: connected",
                "", "No push", "  bob (2 devices): no target (flaw hard-wired-user)", "  and 3 more users",
            ])
    }

    @Test func `records with the same decision share a line, and the line says how many there are`() {
        let records = (1...5).map { Self.record("00\($0)") } + [Self.record("006", fired: false, why: "gate")]
        #expect(
            lines(Self.change(["records": .array(records), "source": "bulk-load"])) == [
                "Change 7 at T: ada by a bulk load, saved",
                "", "001, 002, 003 and 2 more of Account: Name, Type changed", "  trigger  fired: w",
                "", "006 of Account: Name, Type changed", "  trigger  not fired: gate",
                "", "Nobody gets a push.",
            ])
    }

    @Test func `refusals, missing answers and obstacles have their reasons`() {
        let refused: JSONValue = [
            "device": "a", "registered": "R", "sent": true, "why": "x",
            "gateway": ["status": 410, "reason": "Unregistered", "why": "the app was removed"],
            "delivery": ["stage": .null, "why": "refused"],
        ]
        let silent: JSONValue = [
            "device": "b", "registered": "R", "sent": true, "why": "x",
            "gateway": ["status": .null, "why": "no route"],
        ]
        let left: JSONValue = ["device": "c", "registered": "R", "sent": false, "why": "another app"]
        let push: JSONValue = [
            "type": "", "app": "Agent", "user": ["name": "ada\u{1B}"], "why": "w", "obstacle": "none",
            "devices": [refused, silent, left],
        ]
        #expect(
            lines(Self.change(["pushes": [push]])).dropFirst(2) == [
                "A push through Agent to ada\u{FFFD}: w", "  not sent: none",
                "  device a, registered R", "    org      sent: x",
                "    gateway  410 Unregistered: the app was removed", "    device   unknown: refused",
                "  device b, registered R", "    org      sent: x", "    gateway  no answer: no route",
                "  device c, registered R", "    org      not sent: another app",
            ])
    }

    @Test func `a save that failed has its reason in the first line and no line about pushes`() {
        let change = Self.change(["saved": false, "why": "too many", "flaws": ["send-per-record"]])
        #expect(lines(change) == ["Change 7 at T: ada in a browser, not saved: too many (flaw send-per-record)"])
    }
}
