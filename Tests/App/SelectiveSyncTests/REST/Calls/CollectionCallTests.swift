import PushDispatch
import SelectiveSync
import Testing

struct CollectionCallTests {
    private static let limits = JSONLimits(maximumBytes: 1_000_000, maximumDepth: 32, maximumValues: 100_000)

    private func call(_ numbers: [Int] = [1, 2], object: String = "Account", version: String = "v66.0")
        throws(FetchError)
        -> CollectionCall
    {
        let request = FetchRequest(
            object: object, records: numbers.map(RecordID.test), fields: ["Name"], timeoutMilliseconds: 1_000)
        return try CollectionCall(request, version: version)
    }

    private func record(_ number: Int, type: String = "Account", _ more: String = "") -> String {
        #"{"attributes":{"type":"\#(type)"},"Id":"\#(RecordID.test(number))","Name":"N"\#(more)}"#
    }

    private func read(_ body: String, status: Int = 200) throws(FetchError) -> [FetchedRecord] {
        try call().records(status: status, body: Array(body.utf8), limits: Self.limits)
    }

    @Test func `the request asks for ids in their long form, and for Id first`() throws {
        let call = try call([1])
        #expect(call.path == "/services/data/v66.0/composite/sobjects/Account")
        #expect(
            String(decoding: call.body, as: UTF8.self) == #"{"ids":["001xx0000000001AAA"],"fields":["Id","Name"]}"#)
    }

    @Test(arguments: ["", "Account/x", "Account?x", "Ac count", "../x", "Konto€"])
    func `an object's name cannot change the path`(name: String) {
        #expect(throws: FetchError.self) { try call(object: name) }
    }

    @Test(arguments: ["66.0", "v66", "v66.", "v.0", "v66.0/x", "v66.0.0"]) func `a version has one form`(
        version: String
    ) {
        #expect(throws: FetchError.self) { try call(version: version) }
    }

    @Test func `one call takes 1 to 2,000 ids`() throws {
        #expect(throws: FetchError.self) { try call([]) }
        _ = try call(Array(0..<2_000))
        #expect(throws: FetchError.self) { try call(Array(0...2_000)) }
    }

    @Test func `each answer has the place of its id, and null is a missing record`() throws {
        let fetched = try read("[null,\(record(2))]")
        #expect(fetched == [.missing(.test(1)), .record(.test(2, name: "N"))])
    }

    @Test func `a reply with anything else than the request is refused`() {
        let bad = [
            "[null]", "[null,null,null]", "{}", "null", "", "[", "[1,2]", "[\(record(2)),\(record(1))]",
            "[\(record(1, type: "Contact")),null]", "[\(record(3)),null]", #"[{"Id":"\#(RecordID.test(1))"},null]"#,
            #"[{"attributes":{"type":"Account"}},null]"#, #"[{"attributes":{"type":"Account"},"Id":7},null]"#,
            "[\(record(1, #","SystemModstamp":"yesterday""#)),null]", "[\(record(1, #","LastModifiedDate":7"#)),null]",
            #"[{"message":"Session expired","errorCode":"INVALID_SESSION_ID"}]"#,
        ]
        for body in bad {
            #expect("\(body)") { try read(body) } throws: { ($0 as? FetchError)?.code == .badReply }
        }
    }

    @Test(arguments: [
        (400, "MALFORMED_ID", FetchError.Advice.dropRecord), (400, "INVALID_FIELD", .stop),
        (400, "MALFORMED_QUERY", .stop),
        (401, "INVALID_SESSION_ID", .logIn), (403, "REQUEST_LIMIT_EXCEEDED", .keep),
        (403, "INSUFFICIENT_ACCESS", .stop),
        (403, "API_DISABLED_FOR_ORG", .stop), (404, "NOT_FOUND", .stop), (409, "SOME_CONFLICT", .retryLater),
        (415, "UNSUPPORTED", .keep), (500, "UNKNOWN_EXCEPTION", .retryLater), (503, "SERVER_UNAVAILABLE", .retryLater),
        (418, "NEW_CODE", .keep), (429, "NEW_CODE", .retryLater), (599, "NEW_CODE", .retryLater),
        (400, "INVALID_QUERY_LOCATOR", .stop),
    ])
    func `each refusal says what to do`(status: Int, code: String, advice: FetchError.Advice) {
        #expect {
            try read(#"[{"message":"secret sentence","errorCode":"\#(code)"}]"#, status: status)
        } throws: { error in
            guard let error = error as? FetchError else { return false }
            return error.code.rawValue == code && error.status == status && error.advice == advice
                && !error.description.contains("secret")
        }
    }

    @Test func `an error with a success status is reported as such`() {
        #expect {
            try read(#"[{"message":"secret sentence","errorCode":"INVALID_SESSION_ID"}]"#)
        } throws: {
            ($0 as? FetchError)
                == FetchError(
                    .badReply, status: 200, advice: .retryLater, "the reply is an error with a success status")
        }
    }

    @Test(arguments: ["", "<html>", "[]", "{}", #"[{"errorCode":7}]"#, #"[{"errorCode":"Jane Doe"}]"#])
    func `a refusal that cannot be read is judged by its status`(body: String) {
        #expect { try read(body, status: 503) } throws: {
            ($0 as? FetchError)
                == FetchError(
                    .unexplained, status: 503, advice: .retryLater, "the server refused without a readable errorCode")
        }
    }
}
