import PushDispatch
import Testing

@testable import apns

struct OrgLogTextTests {
    @Test func `an entry shows its time of day, its event and its other members in order`() {
        let entry: JSONValue = [
            "number": .integer(7), "time": "2026-11-21T07:58:00.123Z", "event": "GATEWAY_ACCEPTED",
            "status": .integer(200),
            "app": "Agent\u{1B}[2J",
        ]
        #expect(
            OrgLogText.line(entry, style: .plain)
                == "07:58:00.123  GATEWAY_ACCEPTED  app=Agent\u{FFFD}[2J status=200")
    }

    @Test func `an answer has the number of the newest entry`() {
        #expect(OrgLogText.newest(in: ["entries": [], "last": .integer(7)]) == 7)
        #expect(OrgLogText.newest(in: ["entries": []]) == nil && OrgLogText.newest(in: .null) == nil)
    }

    @Test(arguments: [("GATEWAY_REFUSED", "31"), ("SAVE_FAILED", "31"), ("GATEWAY_ACCEPTED", "32"), ("SAVED", "1")])
    func `the colour of an event is that of its outcome`(event: String, code: String) {
        let line = OrgLogText.line(["event": .string(event)], style: Style(isColoured: true))
        #expect(line.contains("\u{1B}[\(code)m\(event)\u{1B}[0m"))
    }
}
