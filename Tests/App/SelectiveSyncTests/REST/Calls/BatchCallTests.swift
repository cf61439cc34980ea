import PushDispatch
import SelectiveSync
import Testing

/// Several calls in one (docs/reference/selective-sync.md 6.5).
struct BatchCallTests {
    private static let account = FetchRequest(
        object: "Account", records: [.test(1)], fields: ["Id", "Name"], timeoutMilliseconds: 1)
    private static let query = QueryRequest(
        object: "Account", fields: ["Id"], orderField: "LastModifiedDate", timeoutMilliseconds: 1)

    private func batch(_ requests: [BatchRequest], halts: Bool = false) throws(FetchError) -> BatchCall {
        try BatchCall(requests, haltsOnError: halts, version: "v66.0")
    }

    private func read(_ call: BatchCall, _ results: String) throws(FetchError) -> [BatchReply] {
        try call.read(.ok(#"{"hasErrors":false,"results":[\#(results)]}"#), limits: .test)
    }

    private static let record =
        #"{"statusCode":200,"result":{"attributes":{"type":"Account"},"Id":"001xx0000000001AAA","Name":"A"}}"#
    private static let missing =
        #"{"statusCode":404,"result":[{"errorCode":"NOT_FOUND","message":"x"}]}"#
    private static let refused =
        #"{"statusCode":400,"result":[{"errorCode":"INVALID_FIELD","message":"x"}]}"#
    private static let halted =
        #"{"statusCode":412,"result":[{"errorCode":"BATCH_PROCESSING_HALTED","message":"x"}]}"#

    @Test func `each part has an address without the root, and its own body`() throws {
        let call = try batch([.record(Self.account), .write(.create(["Name": "N"]), of: "Account")], halts: true).call
        #expect(call.method == .post && call.path == "/services/data/v66.0/composite/batch")
        #expect(
            String(decoding: call.body, as: UTF8.self)
                == #"{"haltOnError":true,"batchRequests":["#
                + #"{"method":"GET","url":"v66.0/sobjects/Account/001xx0000000001AAA?fields=Id%2CName"},"#
                + #"{"method":"POST","richInput":{"Name":"N"},"url":"v66.0/sobjects/Account"}]}"#)
    }

    @Test func `each part is read as what it asked for`() throws {
        let id = RecordID.test(7)
        let call = try batch([
            .record(Self.account), .query(Self.query), .write(.create([:]), of: "Account"), .record(Self.account),
            .write(.delete(id), of: "Account"),
        ])
        let replies = try read(
            call,
            [
                Self.record, #"{"statusCode":200,"result":{"totalSize":0,"done":true,"records":[]}}"#,
                #"{"statusCode":201,"result":{"id":"001xx0000000007AAA","success":true}}"#, Self.missing,
                #"{"statusCode":204,"result":null}"#,
            ].joined(separator: ","))
        #expect(
            replies == [
                .record(.record(.test(1))), .page(QueryPage(records: [], totalSize: 0)),
                .written(.done(id: id, nil)), .record(.missing(.test(1))), .written(.done(id: nil, nil)),
            ])
    }

    @Test func `a refusal belongs to its part, and parts after a halt were not executed`() throws {
        let three = [BatchRequest](repeating: .record(Self.account), count: 3)
        let results = [Self.record, Self.refused, Self.halted].joined(separator: ",")
        let halting = try read(try batch(three, halts: true), results)
        #expect(halting[0] == .record(.record(.test(1))))
        #expect(halting[2] == .halted)
        guard case .failed(let error) = halting[1] else {
            Issue.record("\(halting[1])")
            return
        }
        #expect(error.code == .invalidField && error.status == 400)
        // If the batch does not halt, the same status is an ordinary refusal.
        guard case .failed = try read(try batch(three), results)[2] else {
            Issue.record("a part counts as halted in a batch that goes on")
            return
        }
    }

    @Test func `an invalid answer to one part does not affect the others`() throws {
        let replies = try read(
            try batch([.query(Self.query), .record(Self.account)]), #"{"statusCode":200,"result":7},\#(Self.record)"#)
        guard case .failed(let error) = replies[0] else {
            Issue.record("\(replies)")
            return
        }
        #expect(error.code == .badReply && replies[1] == .record(.record(.test(1))))
    }

    @Test(
        arguments: [
            #"{"results":7}"#, #"{}"#, #"{"results":[]}"#, #"{"results":[{"statusCode":"200"}]}"#,
            #"{"results":[{"statusCode":20}]}"#, #"{"results":[{"statusCode":200},{"statusCode":200}]}"#,
        ])
    func `an invalid answer is refused completely`(body: String) throws {
        let call = try batch([.record(Self.account)])
        #expect { try call.read(.ok(body), limits: .test) } throws: { ($0 as? FetchError)?.code == .badReply }
    }

    @Test func `more than 25 parts, none, and a change with a condition are refused here`() throws {
        _ = try batch(Array(repeating: .record(Self.account), count: 25))
        let condition = RecordWrite.update(.test(1), [:], unmodifiedSince: ServerDate(millisecondsSince1970: 0))
        for requests: [BatchRequest] in [
            Array(repeating: .record(Self.account), count: 26), [], [.write(condition, of: "Account")],
        ] {
            #expect { try batch(requests) } throws: { ($0 as? FetchError)?.code == .badRequest }
        }
    }

    @Test func `an address of a part can have any length`() throws {
        var query = Self.query
        query.fields = (0..<2_000).map { "Field_\($0)__c" }
        let call = try batch([.query(query), .record(Self.account)]).call
        #expect(!call.isTooLongForTest && call.body.count > 16_384)
        #expect(!String(decoding: call.body, as: UTF8.self).contains("compositeRequest"))
    }
}

extension RESTCall {
    fileprivate var isTooLongForTest: Bool { target.utf8.count > 16_384 }
}
