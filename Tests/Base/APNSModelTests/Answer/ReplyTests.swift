import APNSModel
import Testing

struct ReplyTests {
    @Test func `an acceptance has its ids and status 200`() {
        let reply = Reply.accepted(apnsID: "A", uniqueID: "u")
        #expect(reply.isAccepted && reply.status == 200 && reply.reason == nil && reply.apnsID == "A")
    }

    @Test func `a refusal has its reason and the status of the reason`() {
        let reply = Reply.refused(Refusal(.unregistered, apnsID: nil, timestamp: 7))
        #expect(!reply.isAccepted && reply.status == 410 && reply.reason == .unregistered && reply.apnsID == nil)
        #expect(Reply.refused(Refusal(.badTopic, apnsID: "B")).apnsID == "B")
    }
}
