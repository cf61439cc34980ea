import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

struct OrgRESTTests {
    private static let path = "/services/data/v66.0/composite/sobjects/Account"
    private static let headers = ["authorization": "Bearer good", "content-type": "application/json; charset=utf-8"]

    private let rest = OrgREST(sessions: ["good": .user(1)])
    private var org = Org()
    private let ids: [RecordID]

    init() throws {
        ids = [
            try org.create("Account", ["Name": "A"], by: .user(2), at: .start),
            try org.create("Account", ["Name": "B", "Type": "Customer"], by: .user(2), at: .start),
            try org.create("Interaction", ["Name": "I"], by: .user(2), at: .start),
        ]
    }

    private func answer(
        _ method: String, _ path: String = path, query: String = "", headers: [String: String] = headers,
        _ body: String = ""
    ) -> OrgREST.Answer {
        var copy = org
        return answer(method, path, query: query, headers: headers, body, &copy)
    }

    private func answer(
        _ method: String, _ path: String = path, query: String = "", headers: [String: String] = headers,
        _ body: String,
        _ org: inout Org
    ) -> OrgREST.Answer {
        let request = ServiceRequest(method, path, query: query, headers: headers, body: Array(body.utf8))
        return rest.answer(request, &org, at: .start.after(seconds: 60))
    }

    private func post(_ ids: [String], _ fields: [String]) -> ServiceResponse {
        let body: JSONValue = ["ids": .array(ids.map { .string($0) }), "fields": .array(fields.map { .string($0) })]
        return answer("POST", String(decoding: body.compactBytes, as: UTF8.self)).response
    }

    private func answer(_ method: String, _ body: String) -> OrgREST.Answer { answer(method, Self.path, body) }

    private func code(_ response: ServiceResponse) throws -> String? {
        let value = try JSONReader.read(response.body, limits: .push)
        #expect(value.array?.count == 1)
        #expect(value.array?.first?.object?["message"]?.string?.isEmpty == false)
        return value.array?.first?.object?["errorCode"]?.string
    }

    private var expected: String {
        let attributes = #"{"type":"Account","url":"/services/data/v66.0/sobjects/Account/"#
        return #"[{"attributes":\#(attributes)\#(ids[1])"},"Name":"B","Type":"Customer"},null,"#
            + #"{"attributes":\#(attributes)\#(ids[0])"},"Name":"A","Type":null},null]"#
    }

    @Test func `POST answers in the order of the ids, with null for a missing record or another object`() {
        let gone = "001xx000009999999"
        let response = post([ids[1], ids[2], ids[0]].map(\.description) + [String(gone.prefix(15))], ["Name", "Type"])
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "application/json;charset=UTF-8")
        #expect(response.text == expected)
    }

    @Test func `GET answers the same`() {
        let list = [ids[1], ids[2], ids[0]].map(\.description).joined(separator: "%2C") + ",001xx0000099999"
        #expect(answer("GET", query: "ids=\(list)&fields=Name,Type").response.text == expected)
    }

    @Test func `dates and ids of a record come in the server's form`() {
        let response = post(
            [String(ids[0].description.prefix(15))], ["Id", "LastModifiedDate", "SystemModstamp", "LastModifiedById"])
        #expect(
            response.text.hasSuffix(
                #"},"Id":"\#(ids[0])","LastModifiedDate":"2026-05-20T20:49:32.000+0000","#
                    + #""SystemModstamp":"2026-05-20T20:49:32.000+0000","LastModifiedById":"\#(RecordID.user(2))"}]"#))
    }

    @Test func `one unknown field fails the whole request`() throws {
        let response = post([ids[0].description], ["Name", "Nope"])
        #expect(response.status == 400)
        #expect(try code(response) == "INVALID_FIELD")
    }

    @Test func `2,000 ids are answered and one more is refused`() throws {
        let many = Array(repeating: ids[0].description, count: 2_001)
        #expect(post(Array(many.dropLast()), ["Id"]).status == 200)
        let response = post(many, ["Id"])
        #expect(response.status == 400)
        #expect(try code(response) == "EXCEEDED_ID_LIMIT")
    }

    @Test(arguments: [
        "", "{", "[]", "null", #"{"ids":["001xx0000000001"]}"#, #"{"ids":[],"fields":["Id"]}"#,
        #"{"ids":"001xx0000000001","fields":["Id"]}"#, #"{"ids":[1],"fields":["Id"]}"#, "\u{0}",
        String(repeating: "[", count: 50),
    ])
    func `an invalid body is a parser error`(body: String) throws {
        let response = answer("POST", body).response
        #expect(response.status == 400)
        #expect(try code(response) == "JSON_PARSER_ERROR")
    }

    @Test func `an id of the wrong form is malformed`() throws {
        #expect(try code(post(["' OR 1=1 --"], ["Id"])) == "MALFORMED_ID")
        // The whole call fails, so the message has to say which id to leave out.
        let text = post(["001xx0000000001", "0x1"], ["Id"]).text
        #expect(text.contains(#"The id \"0x1\" has 3 bytes; a record id has 15 or 18."#), "\(text)")
    }

    @Test(arguments: [nil, "", "Bearer", "Bearer bad", "Basic good", "good", "Bearer good extra"] as [String?])
    func `a call without a good access token is unauthorized`(header: String?) throws {
        var headers = Self.headers
        headers["authorization"] = header
        for path in [Self.path, "/nowhere"] {
            let response = answer("POST", path, headers: headers, "{}").response
            #expect(response.status == 401)
            #expect(response.text == #"[{"message":"Session expired or invalid","errorCode":"INVALID_SESSION_ID"}]"#)
        }
    }

    @Test(arguments: [
        ("POST", "/"), ("GET", ""), ("POST", "/services/data/v66.0/composite/nothing"),
        ("POST", "/services/data/v66.0/composite/sobjects/Nope"),
        ("POST", "/services/data/66.0/composite/sobjects/Account"),
        ("GET", "/services/data/v66.0/composite/sobjects/Account/x"),
        ("GET", "//services/data/v66.0/composite/sobjects/Account"),
        ("PATCH", "/services/data/v66.0/sobjects/Nope/001xx0000000001"), ("DELETE", "/services/data"),
    ])
    func `an unknown path is not found`(method: String, path: String) throws {
        let response = answer(method, path, query: "ids=001xx0000000001&fields=Id", #"{"ids":[],"fields":[]}"#).response
        #expect(response.status == 404)
        #expect(try code(response) == "NOT_FOUND")
    }

    @Test func `the answer to a wrong method lists the allowed ones`() throws {
        let response = answer("DELETE", "").response
        #expect(response.status == 405)
        #expect(response.headers["allow"] == "GET, POST")
    }

    @Test func `an address of more than 16,384 bytes is too long, and so is one with its headers`() {
        let frame = "ids=\(ids[0])&fields=Id&x="
        let fill = OrgREST.maximumAddressBytes - Self.path.utf8.count - 1 - frame.utf8.count
        let headers = Self.headers.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 4 }
        let status = { (count: Int) in
            answer("GET", query: frame + String(repeating: "x", count: count)).response.status
        }
        #expect(status(fill - headers) == 200)
        #expect(status(fill - headers + 1) == 431)
        #expect(status(fill) == 431)
        #expect(status(fill + 1) == 414)
    }

    @Test(arguments: [
        "", "ids=001xx0000000001", "fields=Id", "ids=%&fields=Id", "ids=%ff&fields=Id", "ids=%+1&fields=Id",
    ])
    func `an invalid query string is refused`(query: String) {
        #expect(answer("GET", query: query).response.status == 400)
    }

    @Test func `a body over a mebibyte and a wrong content type are refused`() {
        #expect(answer("POST", String(repeating: " ", count: 1_048_577)).response.status == 413)
        let form = ["authorization": "bearer good", "content-type": "application/x-www-form-urlencoded"]
        #expect(answer("POST", Self.path, headers: form, "{}").response.status == 415)
    }

    @Test func `PATCH changes a record as the session's user and fires the trigger`() {
        var changed = org
        let path = "/services/data/v66.0/sobjects/Account/\(ids[0])"
        let answer = answer("PATCH", path, #"{"Name":"C","Phone":"1"}"#, &changed)
        #expect(answer.response.status == 204 && answer.response.body.isEmpty)
        #expect(answer.pushes.map(\.records) == [[ids[0]]])
        #expect(answer.pushes.first?.targetUser == .user(1))
        #expect(changed[ids[0]]?.fields["Name"] == "C")
        #expect(changed[ids[0]]?.systemModstamp == .start.after(seconds: 60))
    }

    @Test func `PATCH of a missing record changes nothing`() throws {
        var changed = org
        for (id, body, status) in [
            ("001xx0000099999", #"{"Name":"C"}"#, 404), (ids[2].description, #"{"Name":"C"}"#, 400), ("x", "{}", 400),
            (ids[0].description, #"{"Name":"#, 400), (ids[0].description, #"{"Nope":1}"#, 400),
        ] {
            let answer = answer("PATCH", "/services/data/v66.0/sobjects/Account/\(id)", body, &changed)
            #expect(answer.response.status == status)
            #expect(answer.pushes.isEmpty)
        }
        #expect(ids.allSatisfy { changed[$0] == org[$0] })
    }
}
