import PushDispatch
import SelectiveSync
import Testing

struct WriteCallTests {
    private func call(_ write: RecordWrite) throws(FetchError) -> WriteCall {
        try WriteCall(write, of: "Account", version: "v66.0")
    }

    private let id = RecordID.test(1)

    @Test func `each change has its method, address and condition`() throws {
        let create = try call(.create(["Name": "A"])).call
        #expect(create.method == .post && create.target == "/services/data/v66.0/sobjects/Account")
        #expect(String(decoding: create.body, as: UTF8.self) == #"{"Name":"A"}"#)
        let update = try call(.update(id, ["Name": .null], unmodifiedSince: nil)).call
        #expect(update.method == .patch && update.path == "/services/data/v66.0/sobjects/Account/\(id)")
        #expect(update.headers.isEmpty)
        let delete = try call(.delete(id)).call
        #expect(delete.method == .delete && delete.body.isEmpty)
        #expect(delete.headers.isEmpty)
        let upsert = try call(.upsert(field: "Key__c", value: "a/b?%", ["Name": "A"])).call
        #expect(upsert.method == .patch)
        #expect(upsert.target == "/services/data/v66.0/sobjects/Account/Key__c/a%2Fb%3F%25")
        #expect(String(decoding: upsert.body, as: UTF8.self) == #"{"Name":"A"}"#)
    }

    @Test func `a date within a second is rounded up, so that a record is not modified after itself`() throws {
        let date = ServerDate("1994-11-06T08:49:36.001Z")
        let call = try call(.update(id, [:], unmodifiedSince: date)).call
        #expect(call.headers == ["If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"])
    }

    @Test(arguments: ["", ".", ".."])
    func `a value that would name another resource is refused here`(value: String) {
        #expect(throws: FetchError.self) { try call(.upsert(field: "Key__c", value: value, [:])) }
        #expect(throws: FetchError.self) { try call(.upsert(field: "Key/__c", value: "a", [:])) }
    }

    @Test(arguments: [RecordWrite.create([:]), .upsert(field: "Key__c", value: "a", [:])])
    func `a new record is named in the reply`(write: RecordWrite) throws {
        let create = try call(write)
        let created = #"{"id":"001xx0000000001AAA","success":true,"errors":[]}"#
        #expect(create.read(RESTReply(status: 201, body: Array(created.utf8)), limits: .test) == .done(id: id, nil))
        for body in [
            #"{"success":true}"#, #"{"id":"x","success":true}"#, "[]", "", created.replacing("true", with: "false"),
        ] {
            guard case .unavailable(let error) = create.read(.ok(body), limits: .test) else { throw TestError() }
            #expect(error.code == .badReply)
        }
    }

    @Test(
        arguments: [
            (RESTReply(status: 204), .done(id: nil, nil)), (.refusal(404, "NOT_FOUND"), .notFound),
            (.refusal(404, "ENTITY_IS_DELETED"), .notFound), (.refusal(412, "PRECONDITION_FAILED"), .changed),
            (RESTReply(status: 412), .changed),
            (RESTReply(status: 200), .done(id: nil, nil)),
            (.refusal(400, "FIELD_CUSTOM_VALIDATION_EXCEPTION"), .refused("FIELD_CUSTOM_VALIDATION_EXCEPTION: secret")),
            (.refusal(409, "SOME_CONFLICT"), .refused("SOME_CONFLICT: secret")),
            (.refusal(500, "UNKNOWN_EXCEPTION"), .unknown("UNKNOWN_EXCEPTION: secret")),
        ] as [(RESTReply, UploadReply)])
    func `a refusal is an answer about that record`(reply: RESTReply, meaning: UploadReply) throws {
        #expect(try call(.update(id, [:], unmodifiedSince: nil)).read(reply, limits: .test) == meaning)
    }

    @Test(arguments: [
        (401, "INVALID_SESSION_ID"), (403, "REQUEST_LIMIT_EXCEEDED"), (503, "SERVER_UNAVAILABLE"), (429, "X"),
    ])
    func `an error that concerns every call is not an answer about one record`(status: Int, code: String) throws {
        let reply = try call(.delete(id)).read(.refusal(status, code), limits: .test)
        guard case .unavailable(let error) = reply else { throw TestError() }
        #expect(error.status == status)
    }

    @Test(arguments: [
        RESTReply(status: 200, headers: ["content-type": "text/html"], body: Array("<html>log in</html>".utf8)),
        .ok("{}"), RESTReply(status: 302), RESTReply(status: 408), .refusal(408, "X"), RESTReply(status: 409),
        RESTReply(status: 500), RESTReply(status: 502), RESTReply(status: 504),
    ])
    func `an answer that is not the server's own is not an answer about one record`(reply: RESTReply) throws {
        for write in [RecordWrite.update(id, [:], unmodifiedSince: nil), .delete(id), .create([:])] {
            guard case .unavailable = try call(write).read(reply, limits: .test) else {
                Issue.record("\(write): \(reply)")
                continue
            }
        }
    }

    @Test func `a refusal says which fields and why`() throws {
        let body =
            #"[{"message":"Enter a city","errorCode":"FIELD_CUSTOM_VALIDATION_EXCEPTION","fields":["City","Zip__c"]}]"#
        let reply = try call(.delete(id)).read(RESTReply(status: 400, body: Array(body.utf8)), limits: .test)
        #expect(reply == .refused("FIELD_CUSTOM_VALIDATION_EXCEPTION (City, Zip__c): Enter a city"))
    }

    @Test func `a refusal without a readable reason is not an answer about one record`() throws {
        let reply = try call(.delete(id)).read(RESTReply(status: 404), limits: .test)
        guard case .unavailable(let error) = reply else { throw TestError() }
        #expect(error.code == .unexplained && error.advice == .keep)
    }

    @Test func `several calls are one, and each has its own reply`() throws {
        let calls = [
            try call(.update(id, ["Name": "A"], unmodifiedSince: ServerDate("1994-11-06T08:49:37Z"))).call,
            try call(.delete(.test(2))).call,
        ]
        let composite = try CompositeCall(calls, version: "v66.0")
        #expect(composite.call.path == "/services/data/v66.0/composite")
        let sent = try #require(
            try JSONReader.read(composite.call.body, limits: .test).object?["compositeRequest"]?.array)
        #expect(sent[0].object?["body"] == ["Name": "A"] && sent[1].object?["body"] == nil)
        #expect(sent[0].object?["httpHeaders"] == ["If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"])
        let replies = try composite.read(
            .ok(
                #"{"compositeResponse":[{"body":null,"httpHeaders":{},"httpStatusCode":204,"referenceId":"call0"},"#
                    + #"{"body":[{"message":"x","errorCode":"NOT_FOUND"}],"httpStatusCode":404,"referenceId":"call1"}]}"#
            ),
            limits: .test)
        #expect(replies.map(\.status) == [204, 404])
        #expect(replies[0].body.isEmpty)
        #expect(throws: FetchError.self) { try CompositeCall([], version: "v66.0") }
        #expect(throws: FetchError.self) {
            try CompositeCall(Array(repeating: calls[0], count: 26), version: "v66.0")
        }
    }

    @Test(arguments: [
        "[]", "{}", #"{"compositeResponse":[]}"#, #"{"compositeResponse":[null]}"#,
        #"{"compositeResponse":[{"httpStatusCode":200,"referenceId":"call1"}]}"#,
        #"{"compositeResponse":[{"httpStatusCode":"200","referenceId":"call0"}]}"#,
        #"{"compositeResponse":[{"httpStatusCode":99999,"referenceId":"call0"}]}"#,
    ])
    func `replies for other calls are refused completely`(body: String) throws {
        let composite = try CompositeCall([try call(.create([:])).call], version: "v66.0")
        #expect { try composite.read(.ok(body), limits: .test) } throws: { ($0 as? FetchError)?.code == .badReply }
    }
}
