import APNSModel
import PayloadJSON
import PushDispatch
import Testing

@testable import DeviceSimulator
@testable import apns

struct DeviceEventTests {
    private static func push() throws -> DeliveredPush {
        let envelope = #"{"apns-unique-id":"u1","apns-push-type":"alert","payload":{"aps":{}}}"#
        return try #require(DeliveredPush(Array(envelope.utf8), id: nil))
    }

    @Test func `each event is one JSON object with its name`() throws {
        let push = try DeviceEventTests.push()
        let token = try #require(DeviceToken("ab12"))
        let events: [(SimulatedDevice.Event, String)] = [
            (.connected(nil), #"{"event":"connected"}"#),
            (.disconnected("it \"ended\""), #"{"event":"disconnected","why":"it \"ended\""}"#),
            (.gap, #"{"event":"gap"}"#), (.moved(token), #"{"event":"token","token":"ab12"}"#),
            (
                .received(push),
                #"{"event":"received","apns-unique-id":"u1","apns-push-type":"alert","payload":{"aps":{}}}"#
            ),
            (
                .forwarding(.failed(attempts: 2, why: "status 1", .again(after: .seconds(1))), push),
                #"{"event":"not-handed-on","apns-unique-id":"u1","attempts":2,"why":"status 1","again":true}"#
            ),
            (
                .finished(.newData, push, .microseconds(3149)),
                #"{"event":"result","apns-unique-id":"u1","result":"newData","milliseconds":3.1}"#
            ),
        ]
        for (event, line) in events { #expect(DeviceEventJSON.line(event) == line) }
        #expect(
            DeviceEventJSON.ready(token, try #require(Topic("com.example.a")))
                == #"{"event":"ready","token":"ab12","topic":"com.example.a"}"#)
    }

    @Test func `a push without a type is an ordinary one, and no issue`() {
        let missing = PushIssue(.missingKey, at: "/type", "is missing; expected a string")
        #expect(DeviceEventText.text(of: .issue(missing)) == nil)
        #expect(
            DeviceEventText.text(of: .ignored(.missingType))
                == #"nothing to fetch: the payload has no hint (no "type")"#)
        let id = PushIssue(.missingKey, at: "/accountId", "is missing; ACCOUNT_UPDATE requires it")
        #expect(DeviceEventText.text(of: .issue(id))?.contains("/accountId") == true)
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"Hello","sound":"default"}}"#, #"alert: text "Hello", the default sound"#),
        (#"{"aps":{"alert":{"title":"A","body":"B"},"badge":0}}"#, #"alert: title "A", text "B", badge 0"#),
    ])
    func `an alert is shown as a user sees it`(payload: String, says: String) throws {
        let envelope = #"{"apns-unique-id":"u1","apns-push-type":"alert","payload":\#(payload)}"#
        let push = try #require(DeliveredPush(Array(envelope.utf8), id: nil))
        #expect(ShownAlert(push)?.text == says)
        let silent = envelope.replacing("alert\",\"payload", with: "background\",\"payload")
        #expect(ShownAlert(try #require(DeliveredPush(Array(silent.utf8), id: nil))) == nil)
        #expect(ShownAlert(try DeviceEventTests.push()) == nil)
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"Hello"},"order":7}"#, true), (#"{"aps":{"alert":"Hello","content-available":1}}"#, false),
        (#"{"aps":{"alert":"Hello"},"type":7}"#, false), (#"{"aps":{"content-available":1}}"#, false),
    ])
    func `of a plain alert is said that it was shown, and nothing about hints`(payload: String, isPlain: Bool) throws {
        let envelope = #"{"apns-unique-id":"u1","apns-push-type":"alert","payload":\#(payload)}"#
        let push = try #require(DeliveredPush(Array(envelope.utf8), id: nil))
        let notes = PlainAlertNotes()
        #expect(notes.line(of: .received(push)) == .usual)
        #expect(notes.line(of: .dispatch(.ignored(.missingType))) == (isPlain ? .nothing : .usual))
        let end = notes.line(of: .finished(.noData, push, .zero))
        #expect(end == (isPlain ? .text("the alert was shown") : .usual))
        // Hints of earlier pushes may have been fetched, so this result is news.
        #expect(notes.line(of: .received(push)) == .usual)
        #expect(notes.line(of: .finished(.newData, push, .zero)) == .usual)
    }

    @Test func `a reason to be disconnected is shown once, until the device was connected again`() {
        let notes = DisconnectNotes()
        let shown = ["broke", "nothing answers", "nothing answers", "nothing answers"].map {
            notes.shows(.disconnected($0))
        }
        #expect(shown == [true, true, false, false])
        #expect(notes.shows(.connected(nil)))
        #expect(notes.shows(.disconnected("nothing answers")))
        #expect(notes.shows(.gap))
        #expect(!notes.shows(.disconnected("nothing answers")))
    }

    @Test func `handled pushes are counted, and an interrupted one is named`() throws {
        let push = try DeviceEventTests.push()
        let handled = HandledPushes(after: "u0")
        #expect(handled.count == HandledPushes.Count(all: 0, givenUp: 0, last: "u0", interrupted: nil))
        handled.note(.received(push))
        #expect(handled.count.interrupted == "u1")
        handled.note(.forwarding(.failed(attempts: 1, why: "", .givenUp), push))
        handled.note(.finished(.noData, push, .zero))
        #expect(handled.count == HandledPushes.Count(all: 1, givenUp: 1, last: "u1", interrupted: nil))
    }
}
