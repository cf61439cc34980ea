import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

/// Calls for single records, collections and composites; rights and limits.
struct RecordCallTests {
    private var client = OrgClient()
    private let id: RecordID

    init() throws { id = try client.create("Account", ["Name": "A", "Phone": "1"]) }

    @Test func `a record is returned with the requested fields, or with all`() {
        var client = client
        let some = client.call("GET", "sobjects/Account/\(id)", query: ["fields": "Name,Id"])
        #expect(
            some.response.text
                == #"{"attributes":{"type":"Account","url":"/services/data/v66.0/sobjects/Account/\#(id)"},"#
                + #""Name":"A","Id":"\#(id)"}"#)
        let all = client.call("GET", "sobjects/Account/\(id.description.prefix(15))")
        #expect(all["IsDeleted"] == false && all["Phone"] == "1" && all["Industry"] == .null)
        #expect(client.call("GET", "sobjects/Account/\(id)", query: ["fields": "Nope"]).code == "INVALID_FIELD")
    }

    @Test(arguments: [
        ("001xx0000099999", "NOT_FOUND", 404), ("0xIxx0000000001", "MALFORMED_ID", 400), ("x", "MALFORMED_ID", 400),
    ])
    func `the error for an id without a record names the cause`(id: String, code: String, status: Int) {
        var client = client
        for method in ["GET", "DELETE"] {
            let answer = client.call(method, "sobjects/Account/\(id)")
            #expect(answer.status == status && answer.code == code)
        }
    }

    @Test func `a record is created as the session's user`() throws {
        var client = client
        let answer = client.call("POST", "sobjects/Account", ["Name": "New"], token: "other")
        #expect(answer.status == 201 && answer["success"] == true)
        let id = try #require(answer["id"]?.string.flatMap { RecordID($0) })
        #expect(client.org[id]?.owner == .user(2))
        #expect(client.call("POST", "sobjects/Account", ["Nope": 1]).code == "INVALID_FIELD")
        #expect(client.call("POST", "sobjects/Nope", ["Name": "x"]).status == 404)
    }

    @Test func `a change is refused where the record changed after the date`() {
        var client = client
        client.pass(seconds: 10)
        let change: (inout OrgClient, String) -> Int = { client, date in
            client.call(
                "PATCH", "sobjects/Account/\(id)", ["Phone": "2"], headers: ["if-unmodified-since": date]
            ).status
        }
        #expect(change(&client, "Wed, 20 May 2026 20:49:31 GMT") == 412)
        #expect(change(&client, "Wed, 20 May 2026 20:49:32 GMT") == 204)
        #expect(change(&client, "Wed, 20 May 2026 20:49:32 GMT") == 412)
        // An invalid date is ignored.
        #expect(change(&client, "yesterday") == 204)
    }

    @Test func `answers contain the day's calls and the org's time`() {
        var client = client
        let answer = client.call("GET", "sobjects/Account/\(id)")
        #expect(answer.response.headers["sforce-limit-info"] == "api-usage=1/100000")
        #expect(answer.response.headers["date"] == "Wed, 20 May 2026 20:49:32 GMT")
    }

    @Test func `above the daily limit all calls are refused until the day ends`() {
        var client = client
        client.org.settings.dailyCalls = 2
        #expect((0..<2).map { _ in client.call("GET", "limits").status } == [200, 200])
        let answer = client.call("GET", "limits")
        #expect(answer.status == 403 && answer.code == "REQUEST_LIMIT_EXCEEDED")
        #expect(client.call("GET", "limits", token: "bad").status == 401)
        client.pass(seconds: 3 * 3_600)
        #expect(client.call("GET", "limits").status == 403)
        client.pass(seconds: 3_600)
        #expect(client.call("GET", "limits").status == 200)
    }

    // MARK: Rights

    @Test func `a record that is hidden from a user counts as missing in every call`() throws {
        var client = client
        client.org.setVisible(false, id, to: .user(1))
        let path = "sobjects/Account/\(id)"
        #expect(client.call("GET", path).code == "NOT_FOUND")
        #expect(client.call("PATCH", path, ["Name": "B"]).code == "NOT_FOUND")
        #expect(client.call("DELETE", path).code == "NOT_FOUND")
        let fetch: JSONValue = ["ids": [.string(id.description)], "fields": ["Id"]]
        #expect(client.call("POST", "composite/sobjects/Account", fetch).response.text == "[null]")
        #expect(client.query("SELECT Id FROM Account")["totalSize"] == 0)
        #expect(client.query("SELECT Id FROM Account", token: "other")["totalSize"] == 1)
        #expect(client.org.records(of: "Account", visibleTo: .user(1)).isEmpty)
        client.org.setVisible(true, id, to: .user(1))
        #expect(client.call("GET", path).status == 200)
    }

    @Test func `with private sharing only the owner sees a record, deletions included`() throws {
        var account = OrgObject.account
        account.sharing = .owner
        var client = OrgClient(Org(objects: [account]))
        let id = try client.create()
        #expect(client.query("SELECT Id FROM Account", token: "other")["totalSize"] == 0)
        _ = try client.org.update(id, ["OwnerId": .string(RecordID.user(2).description)], by: .user(1), at: client.now)
        #expect(client.query("SELECT Id FROM Account")["totalSize"] == 0)
        #expect(client.query("SELECT Id FROM Account", token: "other")["totalSize"] == 1)
        try client.org.delete(id, by: .user(2), at: client.now)
        #expect(client.call("GET", "sobjects/Account/\(id)").code == "NOT_FOUND")
        #expect(client.call("GET", "sobjects/Account/\(id)", token: "other").code == "ENTITY_IS_DELETED")
    }

    @Test func `a hidden field counts as one that does not exist`() {
        var client = client
        client.org.hiddenFields = [HiddenField("Account", "Phone", from: .user(1))]
        #expect(client.query("SELECT Phone FROM Account").code == "INVALID_FIELD")
        #expect(client.query("SELECT Id FROM Account WHERE Phone = '1'").code == "INVALID_FIELD")
        #expect(client.call("PATCH", "sobjects/Account/\(id)", ["Phone": "2"]).code == "INVALID_FIELD")
        #expect(client.call("GET", "sobjects/Account/\(id)")["Phone"] == nil)
        #expect(client.query("SELECT Phone FROM Account", token: "other").status == 200)
        client.org.hiddenFields = [HiddenField("Account", "Phone")]
        #expect(client.query("SELECT Phone FROM Account", token: "other").status == 400)
    }

    // MARK: Collections

    private func rows(_ count: Int, _ client: inout OrgClient) throws -> [JSONValue] {
        try (0..<count).map { _ in
            [
                "attributes": ["type": "Account"], "id": .string(try client.create().description), "Name": "B",
            ]
        }
    }

    @Test func `a bulk update over REST fails as a whole with the reference trigger`() throws {
        var client = client
        let rows = try rows(11, &client)
        let answer = client.call("PATCH", "composite/sobjects", ["records": .array(rows)])
        #expect(answer.status == 200 && answer.pushes.isEmpty)
        #expect(answer.json.array?.count == 11)
        for row in answer.json.array ?? [] {
            #expect(row.object?["success"] == false)
            let error = row.object?["errors"]?.array?.first?.object
            #expect(error?["statusCode"] == "CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY")
        }
        #expect(client.query("SELECT COUNT() FROM Account WHERE Name = 'B'")["totalSize"] == 0)
        #expect(
            client.call("PATCH", "composite/sobjects", ["records": .array(Array(rows.prefix(10)))]).pushes.count == 10)
    }

    @Test func `the valid records of a collection are written, or none with allOrNone`() throws {
        var client = client
        var rows = try rows(2, &client)
        rows.append(["attributes": ["type": "Account"], "id": "001xx0000099999", "Name": "B"])
        let all = client.call("PATCH", "composite/sobjects", ["allOrNone": true, "records": .array(rows)])
        #expect(all.pushes.isEmpty)
        #expect(all.json.array?.map { $0.object?["success"] ?? .null } == [false, false, false])
        #expect(client.query("SELECT COUNT() FROM Account WHERE Name = 'B'")["totalSize"] == 0)
        let some = client.call("PATCH", "composite/sobjects", ["records": .array(rows)])
        #expect(some.json.array?.map { $0.object?["success"] ?? .null } == [true, true, false])
        #expect(client.query("SELECT COUNT() FROM Account WHERE Name = 'B'")["totalSize"] == 2)
    }

    @Test func `a collection is created and deleted, 200 records at most`() throws {
        var client = client
        let row: JSONValue = ["attributes": ["type": "Account"], "Name": "N"]
        let body: (Int) -> JSONValue = { ["records": .array(Array(repeating: row, count: $0))] }
        #expect(client.call("POST", "composite/sobjects", body(201)).code == "EXCEEDED_ID_LIMIT")
        let created = client.call("POST", "composite/sobjects", body(200))
        let ids = created.json.array?.compactMap { $0.object?["id"]?.string } ?? []
        #expect(ids.count == 200)
        let deleted = client.call(
            "DELETE", "composite/sobjects", query: ["ids": "\(ids[0]),\(ids[0])", "allOrNone": "false"])
        #expect(deleted.json.array?.map { $0.object?["success"] ?? .null } == [true, false])
        let none = client.call(
            "DELETE", "composite/sobjects", query: ["ids": "\(ids[1]),\(ids[0])", "allOrNone": "true"])
        #expect(none.json.array?.map { $0.object?["success"] ?? .null } == [false, false])
        #expect(client.query("SELECT COUNT() FROM Account WHERE Name = 'N'")["totalSize"] == 199)
    }

    // MARK: Composite calls

    private func composite(_ rows: [JSONValue], allOrNone: Bool = false) -> JSONValue {
        ["allOrNone": .bool(allOrNone), "compositeRequest": .array(rows)]
    }

    private func get(_ reference: String, _ path: String) -> JSONValue {
        ["method": "GET", "referenceId": .string(reference), "url": .string("/services/data/v66.0/\(path)")]
    }

    @Test func `a composite call counts once, and each request has its own status`() {
        var client = client
        let answer = client.call(
            "POST", "composite",
            composite([
                get("acc", "sobjects/Account/\(id)?fields=Name"), get("none", "sobjects/Account/001xx0000099999"),
            ]))
        #expect(answer.status == 200)
        #expect(answer.response.headers["sforce-limit-info"] == "api-usage=1/100000")
        let rows = answer["compositeResponse"]?.array?.map { $0.object ?? [:] } ?? []
        #expect(rows.map { $0["httpStatusCode"] } == [200, 404])
        #expect(rows.map { $0["referenceId"] } == ["acc", "none"])
        #expect(rows.first?["body"]?.object?["Name"] == "A")
        #expect(rows.first?["httpHeaders"] == [:])
    }

    @Test func `allOrNone undoes the other requests, including their pushes`() {
        var client = client
        let change: JSONValue = [
            "method": "PATCH", "referenceId": "a", "url": .string("/services/data/v66.0/sobjects/Account/\(id)"),
            "body": ["Name": "B"],
        ]
        let answer = client.call(
            "POST", "composite", composite([change, get("b", "sobjects/Account/x")], allOrNone: true))
        #expect(answer.pushes.isEmpty)
        #expect(client.org[id]?.fields["Name"] == "A")
        #expect(client.call("POST", "composite", composite([change])).pushes.count == 1)
        #expect(client.org[id]?.fields["Name"] == "B")
    }

    @Test func `a composite call has up to 25 requests, five of them queries or collections`() {
        var client = client
        let many = (0..<26).map { get("r\($0)", "limits") }
        #expect(client.call("POST", "composite", composite(many)).code == "LIMIT_EXCEEDED")
        #expect(client.call("POST", "composite", composite(Array(many.dropLast()))).status == 200)
        let queries = (0..<6).map { get("r\($0)", "query?q=SELECT+Id+FROM+Account") }
        #expect(client.call("POST", "composite", composite(queries)).code == "LIMIT_EXCEEDED")
        #expect(client.call("POST", "composite", composite(Array(queries.dropLast()))).status == 200)
    }

    @Test(
        arguments: [
            [], [["method": "GET", "url": "/x"]], [["method": "GET", "referenceId": "a"]],
            [["method": "POST", "referenceId": "a", "url": "/services/data/v66.0/composite"]],
            [["method": "GET", "referenceId": "a", "url": "/services/data/v66.0/sobjects/Account/@{b.id}"]],
            [
                ["method": "GET", "referenceId": "a", "url": "/x"], ["method": "GET", "referenceId": "a", "url": "/y"],
            ],
        ] as [[JSONValue]])
    func `an invalid composite call is refused`(rows: [JSONValue]) {
        var client = client
        #expect(client.call("POST", "composite", composite(rows)).code == "JSON_PARSER_ERROR")
    }

    @Test func `a request of a composite call has an address of at most 16,384 bytes`() {
        var client = client
        let start = "/services/data/v66.0/limits?x="
        for (length, status) in [(16_384, 200), (16_385, 414)] as [(Int, Int64)] {
            let url = start + String(repeating: "a", count: length - start.utf8.count)
            let row: JSONValue = ["method": "GET", "referenceId": "a", "url": .string(url)]
            let answer = client.call("POST", "composite", composite([row]))
            #expect(answer["compositeResponse"]?.array?.first?.object?["httpStatusCode"] == .integer(status))
        }
    }

    @Test func `a batch counts each request, and halts at an error if requested`() {
        var client = client
        let rows: [JSONValue] = [
            ["method": "GET", "url": "v66.0/limits"], ["method": "GET", "url": "v66.0/sobjects/Account/x"],
            ["method": "PATCH", "url": .string("v66.0/sobjects/Account/\(id)"), "richInput": ["Name": "B"]],
        ]
        let halted = client.call("POST", "composite/batch", ["haltOnError": true, "batchRequests": .array(rows)])
        #expect(halted["hasErrors"] == true)
        #expect(halted["results"]?.array?.map { $0.object?["statusCode"] } == [200, 400, 412])
        #expect(halted.response.headers["sforce-limit-info"] == "api-usage=3/100000")
        let whole = client.call("POST", "composite/batch", ["batchRequests": .array(rows)])
        #expect(whole["results"]?.array?.map { $0.object?["statusCode"] } == [200, 400, 204])
        #expect(whole["results"]?.array?.last?.object?["result"] == .null)
        #expect(whole.pushes.count == 1)
    }
}
