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
