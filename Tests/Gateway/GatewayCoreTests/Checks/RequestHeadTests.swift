import Testing

@testable import GatewayCore

struct RequestHeadTests {
    @Test func `each known header goes into its field`() {
        var head = RequestHead()
        let fields = [
            (":method", "POST"), (":path", "/3/device/ab"), (":authority", "localhost"), ("authorization", "bearer t"),
            ("apns-topic", "topic"), ("apns-push-type", "alert"), ("apns-id", "id"), ("apns-expiration", "0"),
            ("apns-priority", "5"), ("apns-collapse-id", "é"), ("apns-channel-id", "ch"), ("apns-request-id", "rq"),
            ("content-length", "12"), (":scheme", "https"), ("user-agent", "x"), ("apns-toqic", "not it"), ("", ""),
        ]
        for (name, value) in fields { head.add(name: name, value: value) }
        #expect(head.method == "POST")
        #expect(head.path == "/3/device/ab")
        #expect(head.authority == "localhost")
        #expect(head.authorization == "bearer t")
        #expect(head.topic == "topic")
        #expect(head.pushType == "alert")
        #expect(head.apnsID == "id")
        #expect(head.expiration == "0")
        #expect(head.priority == "5")
        #expect(head.collapseID == "é")
        #expect(head.channelID == "ch")
        #expect(head.requestID == "rq")
        #expect(head.contentLength == "12")
        #expect(head.duplicated.isEmpty)
        #expect(head.listBytes == fields.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 32 })
    }

    @Test func `a repeated header is named once and keeps its first value`() {
        var head = RequestHead()
        for value in ["a", "b", "c"] { head.add(name: "apns-topic", value: value) }
        head.add(name: "user-agent", value: "x")
        head.add(name: "user-agent", value: "y")
        #expect(head.topic == "a")
        #expect(head.duplicated == ["apns-topic"])
        #expect(head.mayRepeatOthers)
    }

    @Test func `host replaces an absent authority`() {
        var head = RequestHead()
        head.add(name: "host", value: "orders.localhost")
        #expect(head.authority == "orders.localhost")
        head = RequestHead()
        head.add(name: ":authority", value: "localhost")
        head.add(name: "host", value: "orders.localhost")
        #expect(head.authority == "localhost")
    }

    @Test func `what goes beyond the limit is counted and not kept`() {
        var head = RequestHead()
        head.add(name: "x", value: String(repeating: "x", count: 7000 - 33))
        #expect(!head.isOversized)
        head.add(name: "apns-topic", value: String(repeating: "y", count: 1000))
        #expect(head.isOversized)
        #expect(head.topic == nil)
    }
}
