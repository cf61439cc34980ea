import PushDispatch
import SelectiveSync
import Testing

struct RESTReplyTests {
    private func reply(_ headers: [String: String]) -> RESTReply { RESTReply(status: 503, headers: headers) }

    @Test(
        arguments: [
            ("0", 0), ("7", 7_000), (" 120 ", 120_000), ("999999999999", 86_400_000), ("99999", 86_400_000),
            ("Sun, 06 Nov 1994 08:49:39 GMT", 2_000), ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("soon", nil), ("-1", nil),
            ("1.5", nil), ("", nil),
        ] as [(String, Int64?)])
    func `the wait that the server demands is in seconds or a date, and at most a day`(
        text: String, milliseconds: Int64?
    ) {
        let reply = reply(["retry-after": text, "date": "Sun, 06 Nov 1994 08:49:37 GMT"])
        #expect(reply.retryAfterMilliseconds == milliseconds)
    }

    @Test func `a date to wait for is ignored if the server's own date is not known`() {
        #expect(reply(["retry-after": "Sun, 06 Nov 1994 08:49:39 GMT"]).retryAfterMilliseconds == nil)
    }

    @Test func `a refusal contains the wait`() throws {
        let request = FetchRequest(object: "A", records: [.test(1)], fields: [], timeoutMilliseconds: 1)
        let call = try CollectionCall(request, version: "v66.0")
        #expect {
            try call.read(reply(["retry-after": "30"]), limits: .test)
        } throws: { error in
            let error = error as? FetchError
            return error?.advice == .retryLater && error?.retryAfterMilliseconds == 30_000
        }
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
            ("Thu, 29 Feb 2024 23:59:59 GMT", "2024-02-29T23:59:59Z"),
            ("Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
            ("Wed, 31 Dec 1969 23:59:59 GMT", "1969-12-31T23:59:59Z"), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
            ("Sun, 31 Nov 1994 08:49:37 GMT", nil), ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("", nil),
            ("Sun, 06 Nov 1994 08:49:3７ G", nil),
        ] as [(String, String?)])
    func `the server's clock is the date of a reply`(text: String, date: String?) {
        #expect(reply(["date": text]).date == date.flatMap { ServerDate($0) })
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", "text/html"), ("text/plain", "text/plain"),
        ("Jane Doe <secret>", "of another type"), ("", "of another type"),
        ("application/" + String(repeating: "x", count: 90), "of another type"),
    ])
    func `a reply of another type is refused, and the message shows only a plain type`(type: String, shown: String)
        throws
    {
        let request = FetchRequest(object: "A", records: [.test(1)], fields: [], timeoutMilliseconds: 1)
        let call = try CollectionCall(request, version: "v66.0")
        let reply = RESTReply(status: 200, headers: ["content-type": type], body: Array("[null]".utf8))
        #expect {
            try call.read(reply, limits: .test)
        } throws: { error in
            let error = error as? FetchError
            return error?.code == .badReply && error?.detail == "the reply is \(shown) instead of JSON"
        }
    }

    @Test(arguments: [
        "application/json", "application/json;charset=UTF-8", "Application/JSON ; x", "application/vnd.x+json",
    ])
    func `JSON has several media types`(type: String) throws {
        let request = FetchRequest(object: "A", records: [.test(1)], fields: [], timeoutMilliseconds: 1)
        let call = try CollectionCall(request, version: "v66.0")
        let reply = RESTReply(status: 200, headers: ["content-type": type], body: Array("[null]".utf8))
        #expect(try call.read(reply, limits: .test) == [.missing(.test(1))])
    }
}
