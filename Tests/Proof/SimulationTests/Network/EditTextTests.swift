import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing

@testable import Simulation
import ServiceHost

struct EditTextTests {
    private let record = RecordID("001xx0000000001")!
    private let base = "/services/data/v66.0/sobjects/Account"

    private func write(
        _ method: String, _ path: String, since: String? = nil, body: String = "", _ reference: String = ""
    ) -> [EditText] {
        var request = ServiceRequest(method, path, body: Array(body.utf8))
        request.headers["if-unmodified-since"] = since
        return EditText.read(request)
    }

    @Test func `each form of a change is read from its text`() {
        let fields: [String: JSONValue] = ["Name": "A"]
        let body = #"{"Name":"A"}"#
        #expect(write("POST", base, body: body).map(\.write) == [.create(fields)])
        #expect(
            write("PATCH", "\(base)/External__c/ab", body: body).map(\.write)
                == [.upsert(field: "External__c", value: "ab", fields)])
        let date = ServerDate(millisecondsSince1970: 1_000)
        #expect(
            write("PATCH", "\(base)/\(record)", since: "Thu, 01 Jan 1970 00:00:01 GMT", body: body).map(\.write)
                == [.update(record, fields, unmodifiedSince: date)])
        #expect(write("DELETE", "\(base)/\(record)").map(\.write) == [.delete(record)])
        #expect(write("GET", "\(base)/\(record)").isEmpty)
        #expect(write("POST", "/services/data/v66.0/composite/sobjects/Account", body: body).isEmpty)
    }

    @Test func `a composite call has the changes of its parts, with their names`() {
        let body = """
            {"compositeRequest":[{"method":"DELETE","url":"\(base)/\(record)","referenceId":"a"},
            {"method":"GET","url":"/services/data/v66.0/query?q=x","referenceId":"b"},
            {"method":"PATCH","url":"\(base)/\(record)","referenceId":"c","body":{"Name":"B"},
            "httpHeaders":{"If-Unmodified-Since":"Thu, 01 Jan 1970 00:00:01 GMT"}}]}
            """
        let edits = write("POST", "/services/data/v66.0/composite", body: body)
        #expect(edits.map(\.reference) == ["a", "c"])
        #expect(edits.map(\.object) == ["Account", "Account"])
        let date = ServerDate(millisecondsSince1970: 1_000)
        #expect(edits.map(\.write) == [.delete(record), .update(record, ["Name": "B"], unmodifiedSince: date)])
    }
}
