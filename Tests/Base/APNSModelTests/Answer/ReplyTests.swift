import APNSModel
import Testing

struct ReplyTests {
    @Test func `an acceptance has its ids and status 200`() {
        let reply = Reply.accepted(apnsID: NotificationID(known: "A"), uniqueID: "u")
        #expect(reply.isAccepted && reply.status == 200 && reply.reason == nil && reply.apnsID?.text == "A")
    }

    @Test func `a refusal has its reason and the status of the reason`() {
        let reply = Reply.refused(Refusal(.unregistered, apnsID: nil, timestamp: 7))
        #expect(!reply.isAccepted && reply.status == 410 && reply.reason == .unregistered && reply.apnsID == nil)
        #expect(Reply.refused(Refusal(.badTopic, apnsID: NotificationID(known: "B"))).apnsID?.text == "B")
    }

    @Test func `an answer is described in a line`() {
        let id = NotificationID(known: "A")
        #expect("\(Reply.accepted(apnsID: id, uniqueID: "u"))" == "accepted, apns-id A")
        #expect("\(Reply.refused(Refusal(.unregistered, apnsID: id)))" == "refused, Unregistered (410), apns-id A")
        #expect("\(Reply.refused(Refusal(.badTopic, apnsID: nil)))" == "refused, BadTopic (400)")
    }
}
