import PushDispatch
import SelectiveSync
import Testing

struct QueryCallTests {
    private static let next = "/services/data/v66.0/query/01gD0000002HU6KIAW-2000"

    private func request(_ next: String? = nil, fields: [String] = ["Id", "Name"], pageSize: Int = 2_000)
        -> QueryRequest
    {
        QueryRequest(
            object: "Account", fields: fields, orderField: "LastModifiedDate",
            after: ServerDate("2026-05-20T20:49:32.500Z"), next: next, pageSize: pageSize, timeoutMilliseconds: 1_000)
    }

    private func record(_ number: Int) -> String {
        #"{"attributes":{"type":"Account"},"Id":"\#(RecordID.test(number))","Name":"N"}"#
    }

    private func page(
        _ records: [Int] = [1], done: String = "true", next: String? = nil, total: String = "1"
    ) -> RESTReply {
        let next = next.map { #","nextRecordsUrl":\#($0)"# } ?? ""
        let records = records.map(record).joined(separator: ",")
        return .ok(
            #"{"totalSize":\#(total),"done":\#(done)\#(next),"records":[\#(records)]}"#,
            ["date": "Wed, 20 May 2026 20:50:00 GMT"])
    }

    private func read(_ reply: RESTReply) throws(FetchError) -> QueryPage {
        try QueryCall(request(), version: "v66.0").read(reply, limits: .test)
    }

    @Test func `a query is encoded, its date has no quotes, and the page size is limited`() throws {
        let call = try QueryCall(request(), version: "v66.0").call
        #expect(
            call.target
                == "/services/data/v66.0/query?q=SELECT%20Id%2CName%20FROM%20Account%20WHERE%20LastModifiedDate%20%3E%20"
                + "2026-05-20T20%3A49%3A32.500Z%20ORDER%20BY%20LastModifiedDate")
        #expect(call.method == .get && call.body.isEmpty)
        #expect(call.headers == ["Sforce-Query-Options": "batchSize=2000"])
        #expect(
            try QueryCall(request(pageSize: 1), version: "v66.0").call.headers["Sforce-Query-Options"]
                == "batchSize=200")
    }

    @Test func `a page has its records, the address of the next page, and the server's clock`() throws {
        let last = try read(page())
        #expect(last.records.map(\.id) == [.test(1)])
        #expect(last.next == nil && last.totalSize == 1)
        #expect(last.serverDate == ServerDate("2026-05-20T20:50:00Z"))
        let first = try read(page([1, 2], done: "false", next: #""\#(Self.next)""#, total: "3222"))
        #expect(first.next == Self.next && first.totalSize == 3_222)
        #expect(try QueryCall(request(Self.next), version: "v66.0").call.target == Self.next)
    }

    @Test(arguments: [
        "https://evil.example/services/data/v66.0/query/1", "//evil.example/services/data/x",
        "/services/data/../../secret", "/services/data/v66.0//query", "/services/data/./x", "/other/v66.0", "",
        "/services/data/v66.0/query/1?x=y", "/services/data/v66.0/query/%2e%2e/x", "/services/data/a b",
        "/services/data/" + String(repeating: "x", count: 3_000), "services/data/v66.0/query/1",
        "/services/data/v66.0/query/1\r\nX: y", "/services/data/", "@evil.example/services/data/x",
    ])
    func `the next page is a path on the same host, or the reply is refused`(next: String) {
        #expect {
            try QueryCall(request(next), version: "v66.0")
        } throws: { ($0 as? FetchError)?.advice == .stop }
        let escaped = next.replacing("\r\n", with: #"\r\n"#)
        #expect {
            try read(page(done: "false", next: #""\#(escaped)""#, total: "9"))
        } throws: { ($0 as? FetchError)?.code == .badReply }
    }

    @Test func `a page that contradicts itself is refused`() {
        let bad: [RESTReply] = [
            page(done: "false"), page(done: "true", next: #""\#(Self.next)""#), page(done: "0"), page(done: "null"),
            page(total: #""1""#), page(total: "1.5"), page(total: "true"), page([1, 2], total: "1"),
            page(done: "false", next: "7", total: "9"), .ok("[]"), .ok("null"), .ok("{}"),
            .ok(#"{"done":true,"totalSize":0}"#), .ok(#"{"done":true,"records":{}}"#), .ok("<html>"),
            .ok(#"{"done":true,"records":[null]}"#), .ok(#"{"done":true,"records":[{"Id":"x"}]}"#), .ok(""),
            .ok(#"{"done":true,"records":[\#(record(1))"#),
            .ok(#"{"done":true,"records":[\#(record(1).replacing("Account", with: "Contact"))]}"#),
            .ok(#"{"done":true,"records":[\#(record(1).replacing(#","Name":"N""#, with: ""))]}"#),
            .ok(#"[{"message":"secret","errorCode":"INVALID_SESSION_ID"}]"#),
        ]
        for reply in bad {
            #expect("\(String(decoding: reply.body, as: UTF8.self))") {
                try read(reply)
            } throws: { error in
                let error = error as? FetchError
                return error?.code == .badReply && error?.advice == .retryLater
                    && error?.description.contains("secret") == false
            }
        }
    }

    @Test func `a server that does not count its records is accepted`() throws {
        #expect(try read(page(total: "-1")).totalSize == nil)
        #expect(try read(.ok(#"{"done":true,"records":[]}"#)).totalSize == nil)
    }

    @Test func `a query too long for an address is sent in a body`() throws {
        let fields = (0..<600).map { "A_long_name_of_a_field_\($0)__c" }
        let call = try QueryCall(request(fields: fields), version: "v66.0").call
        #expect(call.method == .post && call.target == "/services/data/v66.0/composite")
        let body = try #require(try JSONReader.read(call.body, limits: .test).object)
        let part = try #require(body["compositeRequest"]?.array?.first?.object)
        #expect(body["allOrNone"] == false && part["method"] == "GET")
        #expect(part["url"]?.string?.hasPrefix("/services/data/v66.0/query?q=SELECT%20A_long") == true)
        #expect(part["httpHeaders"] == ["Sforce-Query-Options": "batchSize=2000"])
    }

    @Test func `an address that the server refuses is shortened once`() throws {
        var call = try QueryCall(request(), version: "v66.0")
        let isShorter = call.shorten()
        #expect(isShorter && call.call.method == .post)
        let isShorterStill = call.shorten()
        #expect(!isShorterStill)
        let page = String(decoding: page().body, as: UTF8.self)
        let reply = RESTReply.ok(
            #"{"compositeResponse":[{"body":\#(page),"httpHeaders":{},"httpStatusCode":200,"referenceId":"call0"}]}"#,
            ["date": "Wed, 20 May 2026 20:50:00 GMT"])
        let read = try call.read(reply, limits: .test)
        #expect(read.records.map(\.id) == [.test(1)] && read.serverDate == ServerDate("2026-05-20T20:50:00Z"))
        var next = try QueryCall(request(Self.next), version: "v66.0")
        let canShorten = next.shorten()
        #expect(!canShorten)
    }

    @Test func `the wait that the server demands is read from a composite reply too`() throws {
        var call = try QueryCall(request(), version: "v66.0")
        _ = call.shorten()
        let error = #"[{"message":"x","errorCode":"SERVER_UNAVAILABLE"}]"#
        let reply = RESTReply.ok(
            #"{"compositeResponse":[{"body":\#(error),"httpHeaders":{"Retry-After":"7"},"httpStatusCode":503,"#
                + #""referenceId":"call0"}]}"#)
        #expect {
            try call.read(reply, limits: .test)
        } throws: { ($0 as? FetchError)?.retryAfterMilliseconds == 7_000 }
    }

    @Test func `an invalid field name is refused before a query is built`() {
        for field in ["Name FROM User --", "", "Näme", "a,b"] {
            #expect(throws: FetchError.self) { try QueryCall(request(fields: [field]), version: "v66.0") }
        }
    }
}
