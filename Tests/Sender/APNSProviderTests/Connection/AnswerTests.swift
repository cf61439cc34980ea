import APNSModel
import Testing

@testable import APNSProvider

struct AnswerTests {
    private func reply(_ status: Int, _ body: String) -> Reply {
        Answer(head: ResponseHead(status: status, apnsID: NotificationID(known: "A")), body: Array(body.utf8))
            .reply(sentID: NotificationID(known: "S"))
    }

    @Test func `reason and timestamp are read from the body`() {
        #expect(
            reply(410, #"{"reason":"Unregistered","timestamp":1454948015990}"#)
                == .refused(Refusal(.unregistered, apnsID: NotificationID(known: "A"), timestamp: 1_454_948_015_990)))
    }

    @Test func `both spellings of the environment reason are one`() {
        #expect(reply(403, #"{"reason":"BadEnvironmentKeyIdInToken"}"#).reason == .badEnvironmentKeyInToken)
    }

    @Test func `so are both spellings of the one for a gateway that is overloaded`() {
        #expect(reply(503, #"{"reason":"Service Unavailable"}"#).reason == .serviceUnavailable)
    }

    @Test(arguments: ["", "{", "[]", "null", #"{"reason":7}"#, "<html>"])
    func `an unreadable body leaves the status as the answer`(body: String) {
        #expect(reply(503, body).reason == Reason("", 503))
    }

    @Test func `a reason that is too long is cut, with a mark`() {
        let long = String(repeating: "x", count: 8000)
        #expect(
            reply(400, #"{"reason":"\#(long)"}"#).reason?.code
                == String(repeating: "x", count: 200) + "… (8000 characters)")
        let most = String(repeating: "x", count: 200)
        #expect(reply(400, #"{"reason":"\#(most)"}"#).reason?.code == most)
    }

    @Test func `an answer without an id has the one that was sent`() {
        #expect(Answer(head: ResponseHead(status: 200)).reply(sentID: NotificationID(known: "S")).apnsID?.text == "S")
    }
}
