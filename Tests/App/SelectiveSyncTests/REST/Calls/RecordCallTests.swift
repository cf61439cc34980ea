import PushDispatch
import SelectiveSync
import Testing

struct RecordCallTests {
    private func call(_ fields: [String] = ["Name"], records: [Int] = [1]) throws(FetchError) -> RecordCall {
        try RecordCall(
            FetchRequest(
                object: "Account", records: records.map(RecordID.test), fields: fields, timeoutMilliseconds: 1),
            version: "v66.0")
    }

    private let record = #"{"attributes":{"type":"Account"},"Id":"001xx0000000001AAA","Name":"A"}"#

    @Test func `one record has its own address`() throws {
        let call = try call()
        #expect(
            call.call.target == "/services/data/v66.0/sobjects/Account/001xx0000000001AAA?fields=Id%2CName")
        #expect(try call.read(.ok(record), limits: .test) == .record(.test(1)))
        #expect(throws: FetchError.self) { try self.call(records: [1, 2]) }
        #expect(throws: FetchError.self) { try self.call(records: []) }
    }

    @Test(arguments: [(404, "NOT_FOUND"), (404, "ENTITY_IS_DELETED")])
    func `a record that does not exist is an answer`(status: Int, code: String) throws {
        #expect(try call().read(.refusal(status, code), limits: .test) == .missing(.test(1)))
    }

    @Test func `a page that is not found is not a missing record`() {
        #expect { try call().read(RESTReply(status: 404, body: Array("<html>".utf8)), limits: .test) } throws: {
            ($0 as? FetchError)?.code == .unexplained
        }
    }

    @Test(arguments: [
        #"{"attributes":{"type":"Account"},"Id":"001xx0000000002AAA","Name":"A"}"#,
        #"{"attributes":{"type":"User"},"Id":"001xx0000000001AAA","Name":"A"}"#, "null", "[]", "",
        #"{"attributes":{"type":"Account"},"Id":"001xx0000000001AAA"}"#,
    ])
    func `anything else than the record is refused`(body: String) {
        #expect { try call().read(.ok(body), limits: .test) } throws: { ($0 as? FetchError)?.code == .badReply }
    }

    @Test func `field names are not case-sensitive, and a related record is one field`() throws {
        let call = try call(["name", "Owner.Name"])
        let body = #"{"attributes":{"type":"Account"},"Id":"001xx0000000001AAA","Name":"A","Owner":null}"#
        #expect(try call.read(.ok(body), limits: .test).id == .test(1))
    }
}
