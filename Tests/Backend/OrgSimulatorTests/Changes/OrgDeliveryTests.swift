import OrgSimulator
import PushDispatch
import Testing

struct OrgDeliveryTests {
    private static let life = OrgDelivery.Question.life(uniqueID: "U")
    private static let refusal = OrgDelivery.Question.refusal(apnsID: "A")

    @Test func `the last stage of a life counts`() {
        let body: JSONValue = [
            "life": [
                ["stage": "accepted", "at": "T1", "why": "good"], ["stage": "throttled", "at": "T2", "why": "budget"],
            ]
        ]
        #expect(OrgDelivery(200, body, to: Self.life) == .stage("throttled", at: "T2", why: "budget"))
    }

    @Test func `a refusal is explained by the journal's newest entry`() {
        #expect(
            OrgDelivery(200, ["notifications": [["why": "no such device"]]], to: Self.refusal)
                == .refused(why: "no such device"))
    }

    @Test(arguments: [(404, life), (200, life), (200, refusal), (500, refusal)])
    func `an answer without the notification is unknown`(status: Int, question: OrgDelivery.Question) {
        let answer = OrgDelivery(status, ["life": [], "notifications": []], to: question)
        #expect(
            answer
                == .unknown(why: "the gateway does not know this notification any more; it answered \(status)"))
    }

    @Test func `the questions are paths of the control API`() {
        #expect(Self.life.path == "/api/notifications/U")
        #expect(Self.refusal.path == "/api/notifications?limit=1&apns-id=A")
    }
}
