import Testing

@testable import DeviceSimulator

struct DeliveredPushTests {
    @Test func `the payload is the text that the gateway sent`() throws {
        let data =
            #"{"token":"ab","apns-push-type":"background","apns-id":"X","payload":{"aps":{"content-available":1}}}"#
        let push = try #require(DeliveredPush(Array(data.utf8), id: "u"))
        #expect(String(decoding: push.payload, as: UTF8.self) == #"{"aps":{"content-available":1}}"#)
        #expect(push.uniqueID == "u" && push.apnsID == "X" && push.pushType == "background")
    }

    @Test func `a body that was no JSON leaves an empty payload`() {
        let data = #"{"apns-unique-id":"u","payload-base64":"eA=="}"#
        #expect(DeliveredPush(Array(data.utf8), id: nil)?.payload == [])
    }

    @Test(arguments: ["", "[]", "{", #"{"payload":{}}"#])
    func `anything else is no delivery`(data: String) {
        #expect(DeliveredPush(Array(data.utf8), id: nil) == nil)
    }

    @Test(arguments: [("http://127.0.0.1:8444", "127.0.0.1", 8444), ("http://[::1]:1/", "::1", 1)])
    func `a control URL names host and port`(url: String, host: String, port: Int) {
        #expect(ControlEndpoint(url: url) == ControlEndpoint(host: host, port: port))
    }

    @Test(arguments: ["http://127.0.0.1:1/w/orders", "http://127.0.0.1:1/w/orders/"])
    func `a control URL may name a world`(url: String) {
        let endpoint = ControlEndpoint(url: url)
        #expect(endpoint == ControlEndpoint(host: "127.0.0.1", port: 1, path: "/w/orders"))
        #expect(endpoint?.description == "http://127.0.0.1:1/w/orders")
    }

    @Test(arguments: [
        "https://a:1", "http://a", "http://:1", "http://a:0", "http://a:1/x", "http://a:1/w/", "http://a:1/w/a/b",
        "a:1",
    ])
    func `anything else is no control URL`(url: String) { #expect(ControlEndpoint(url: url) == nil) }
}
