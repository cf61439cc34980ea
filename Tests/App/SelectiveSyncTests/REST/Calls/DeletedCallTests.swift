import PushDispatch
import SelectiveSync
import Testing

struct DeletedCallTests {
    private func deleted(_ start: String, _ end: String) throws(FetchError) -> DeletedCall {
        try DeletedCall(
            DeletionsRequest(
                object: "Account", start: ServerDate(start)!, end: ServerDate(end)!, timeoutMilliseconds: 1_000),
            version: "v66.0")
    }

    private func read(_ body: String) throws(FetchError) -> Deletions {
        try deleted("2026-05-08T21:20:00Z", "2026-05-08T22:20:00Z").read(.ok(body), limits: .test)
    }

    @Test func `a span is asked for in whole minutes, encoded`() throws {
        let call = try deleted("2026-05-08T21:20:59.999Z", "2026-05-08T22:20:31Z").call
        #expect(
            call.target
                == "/services/data/v66.0/sobjects/Account/deleted/?start=2026-05-08T21%3A20%3A00.000Z"
                + "&end=2026-05-08T22%3A20%3A00.000Z")
    }

    @Test func `a span has at most 15 days`() throws {
        _ = try deleted("2026-05-01T00:00:00Z", "2026-05-16T00:00:00Z")
        #expect { try deleted("2026-05-01T00:00:00Z", "2026-05-16T00:01:00Z") } throws: {
            ($0 as? FetchError)?.advice == .stop
        }
    }

    @Test(arguments: [
        ("2026-05-08T21:20:00Z", "2026-05-08T21:20:59Z"), ("2026-05-08T21:20:00Z", "2026-05-08T21:19:00Z"),
    ])
    func `a span of less than a minute is refused`(start: String, end: String) {
        #expect(throws: FetchError.self) { try deleted(start, end) }
    }

    @Test func `a span between the ends of the range does not overflow`() {
        let request = DeletionsRequest(
            object: "A", start: ServerDate(millisecondsSince1970: .min), end: ServerDate(millisecondsSince1970: .max),
            timeoutMilliseconds: 1)
        #expect(throws: FetchError.self) { try DeletedCall(request, version: "v66.0") }
    }

    @Test func `deletions have dates, and the answer says how far they reach`() throws {
        let id = RecordID.test(1)
        let body =
            #"{"deletedRecords":[{"id":"\#(id)","deletedDate":"2026-05-08T21:30:00.000+0000"}],"#
            + #""earliestDateAvailable":"2026-05-01T00:00:00.000+0000","latestDateCovered":"2026-05-08T22:19:00.000+0000"}"#
        let deletions = try read(body)
        #expect(deletions.deleted == [Deletions.Deletion(id, at: ServerDate("2026-05-08T21:30:00Z")!)])
        #expect(deletions.earliestAvailable == ServerDate("2026-05-01T00:00:00Z"))
        #expect(deletions.covered == ServerDate("2026-05-08T22:19:00Z"))
    }

    @Test(arguments: [
        "[]", "{}", "null", #"{"deletedRecords":[],"latestDateCovered":7}"#,
        #"{"deletedRecords":{},"latestDateCovered":"2026-05-08T22:19:00Z"}"#,
        #"{"deletedRecords":[],"latestDateCovered":"2026-05-08T22:19:00Z","earliestDateAvailable":"then"}"#,
        #"{"deletedRecords":[null],"latestDateCovered":"2026-05-08T22:19:00Z"}"#,
        #"{"deletedRecords":[{"id":"x","deletedDate":"2026-05-08T22:19:00Z"}],"latestDateCovered":"2026-05-08T22:19:00Z"}"#,
        #"{"deletedRecords":[{"id":"001xx0000000001AAA"}],"latestDateCovered":"2026-05-08T22:19:00Z"}"#,
    ])
    func `an unreadable list of deletions is refused completely`(body: String) {
        #expect { try read(body) } throws: { ($0 as? FetchError)?.code == .badReply }
    }

    @Test func `too many deletions to list require a comparison of all ids`() throws {
        let call = try deleted("2026-05-08T21:20:00Z", "2026-05-08T22:20:00Z")
        #expect {
            try call.read(.refusal(400, "EXCEEDED_ID_LIMIT"), limits: .test)
        } throws: { error in
            guard let error = error as? FetchError else { return false }
            return error.code == FetchError.Code("EXCEEDED_ID_LIMIT") && error.advice == .stop
        }
    }
}
