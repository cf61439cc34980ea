import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

struct QueryTests {
    private var client = OrgClient()
    private let ids: [RecordID]

    init() throws {
        var ids: [RecordID] = []
        for (name, type, phone) in [
            ("Beta", "Customer", 7), ("alpha", "Prospect", 8), ("Gamma's", "Customer", 9),
        ] as [(String, String, Int64)] {
            ids.append(
                try client.create(
                    "Account", ["Name": .string(name), "Type": .string(type), "Phone": .integer(phone)]))
            client.pass(seconds: 60)
        }
        self.ids = ids
        _ = try client.create("Interaction", ["Name": "I", "AccountId": .string(ids[0].description)])
    }

    private func names(_ rest: String) -> [String] {
        var client = client
        return client.query("SELECT Name FROM Account \(rest)").values("Name").compactMap(\.string)
    }

    @Test(
        arguments: [
            ("Account.Name = 'beta'", 1), ("Account.Name = 'alpha'", 0), ("account.OwnerId = '005xx0000000001'", 1),
            ("Account.SystemModstamp <= 2026-05-20T20:49:32.000Z", 1), ("Account.Industry = null", 1),
            ("AccountId IN (SELECT Id FROM Account WHERE Phone = 7)", 1),
            ("AccountId IN (SELECT Id FROM Account WHERE Phone = 8)", 0),
            ("AccountId NOT IN (SELECT Id FROM Account WHERE Phone = 7)", 0),
            ("Name = 'I' AND AccountId IN (SELECT Id FROM Account)", 1),
            ("AccountId IN (SELECT AccountId FROM Interaction WHERE Account.Phone = 7)", 1),
        ])
    func `conditions concern related records`(condition: String, count: Int) {
        var client = client
        #expect(client.query("SELECT Id FROM Interaction WHERE \(condition)").values("Id").count == count)
    }

    @Test(
        arguments: [
            ("Owner.Name = 'x'", "INVALID_FIELD"), ("Account.Nothing = 1", "INVALID_FIELD"),
            ("Account. = 1", "INVALID_FIELD"),
            ("Foo__r.Name = 'x'", "INVALID_FIELD"), ("AccountId IN (SELECT Id, Name FROM Account)", "MALFORMED_QUERY"),
            ("AccountId IN (SELECT Id FROM Account", "MALFORMED_QUERY"),
            ("AccountId IN (SELECT Id FROM Foo)", "INVALID_TYPE"),
            ("Name = 'I' OR AccountId IN (SELECT Id FROM Account)", "MALFORMED_QUERY"),
            ("NOT (Name = 'I' AND AccountId IN (SELECT Id FROM Account))", "MALFORMED_QUERY"),
            ("Account.Account.Account.Account.Account.Account.Name = 'x'", "MALFORMED_QUERY"),
        ])
    func `an invalid condition about related records is refused`(condition: String, code: String) {
        var client = client
        let answer = client.query("SELECT Id FROM Interaction WHERE \(condition)")
        #expect(answer.status == 400 && answer.response.text.contains(code), "\(answer.response.text)")
    }

    @Test func `a field follows up to five relationships`() throws {
        var client = OrgClient(Org(objects: [OrgObject("A__c", keyPrefix: "a00", customFields: ["A__c"])]))
        var ids = [try client.create("A__c", ["Name": "0"])]
        for number in 1...6 {
            let fields: [String: JSONValue] = [
                "Name": .string("\(number)"), "A__c": .string(ids[number - 1].description),
            ]
            ids.append(try client.create("A__c", fields))
        }
        let path = String(repeating: "A__r.", count: 5)
        let answer = client.query("SELECT Name FROM A__c WHERE \(path)Name = '0'")
        #expect(answer.values("Name") == ["5"], "\(answer.response.text)")
        #expect(client.query("SELECT Name FROM A__c WHERE A__r.\(path)Name = '0'").code == "MALFORMED_QUERY")
    }

    @Test func `a query returns the requested fields and says that it is done`() {
        var client = client
        let answer = client.query("select id, NAME from account where Type = 'customer' order by Name desc")
        #expect(answer.status == 200)
        #expect(
            answer.response.text
                == #"{"totalSize":2,"done":true,"records":["#
                + #"{"attributes":{"type":"Account","url":"/services/data/v66.0/sobjects/Account/\#(ids[2])"},"#
                + #""Id":"\#(ids[2])","Name":"Gamma's"},"#
                + #"{"attributes":{"type":"Account","url":"/services/data/v66.0/sobjects/Account/\#(ids[0])"},"#
                + #""Id":"\#(ids[0])","Name":"Beta"}]}"#)
    }

    @Test(
        arguments: [
            ("", ["Beta", "alpha", "Gamma's"]), ("ORDER BY Name", ["alpha", "Beta", "Gamma's"]),
            ("WHERE Name = 'BETA'", ["Beta"]), (#"WHERE Name = 'Gamma\'s'"#, ["Gamma's"]),
            ("WHERE Name != 'beta'", ["alpha", "Gamma's"]), ("WHERE Phone >= 8", ["alpha", "Gamma's"]),
            ("WHERE Phone < 8", ["Beta"]), ("WHERE Name LIKE '%A'", ["Beta", "alpha"]),
            ("WHERE Name LIKE '_eta'", ["Beta"]), ("WHERE Type IN ('Customer', 'x') AND Phone > 7", ["Gamma's"]),
            ("WHERE Type NOT IN ('Customer')", ["alpha"]), ("WHERE Industry = null", ["Beta", "alpha", "Gamma's"]),
            ("WHERE Industry != null", []), ("WHERE NOT (Phone = 7 OR Phone = 8)", ["Gamma's"]),
            ("WHERE LastModifiedDate > 2026-05-20T20:49:32.000Z", ["alpha", "Gamma's"]),
            ("WHERE LastModifiedDate >= 2026-05-20T22:50:32+02:00", ["alpha", "Gamma's"]),
            ("WHERE SystemModstamp = TODAY", ["Beta", "alpha", "Gamma's"]), ("WHERE CreatedDate < TODAY", []),
            ("WHERE CreatedDate = YESTERDAY", []), ("WHERE CreatedDate >= LAST_N_DAYS:2 LIMIT 1", ["Beta"]),
            ("WHERE IsDeleted = false LIMIT 2", ["Beta", "alpha"]), ("LIMIT 0", []), ("LIMIT 1 OFFSET 1", ["alpha"]),
            ("ORDER BY Type DESC, Phone DESC", ["alpha", "Gamma's", "Beta"]),
            ("WHERE OwnerId = '005xx0000000001' AND (Phone = 7 OR Phone = 9)", ["Beta", "Gamma's"]),
            ("WHERE Industry < 'x'", []),
        ] as [(String, [String])])
    func `conditions, order and limit are applied`(rest: String, expected: [String]) {
        #expect(names(rest) == expected)
    }

    @Test(
        arguments: [
            (#"WHERE Name LIKE '50\%%'"#, ["50% off"]), ("WHERE Name LIKE '50%'", ["50% off", "500 pieces"]),
            (#"WHERE Name LIKE '%\_%'"#, ["a_b"]), ("WHERE Name LIKE 'a_b'", ["a_b", "axb"]),
            // Each is a single character with what is before it.
            ("WHERE Name = 'O\\'\u{301}x'", ["O'\u{301}x"]), ("WHERE Name LIKE '%\u{301}x'", ["O'\u{301}x"]),
        ] as [(String, [String])])
    func `a pattern has wildcards only where they have no backslash, and any character`(
        rest: String, expected: [String]
    ) throws {
        var client = client
        for name in ["50% off", "500 pieces", "a_b", "axb", "O'\u{301}x"] {
            _ = try client.create("Account", ["Name": .string(name)])
        }
        #expect(client.query("SELECT Name FROM Account \(rest)").values("Name").compactMap(\.string) == expected)
    }

    @Test(arguments: ["Id LIKE '001%'", "LastModifiedDate LIKE '2026%'", "Name LIKE 7"])
    func `LIKE takes text and a string`(condition: String) {
        var client = client
        let answer = client.query("SELECT Id FROM Account WHERE \(condition)")
        #expect(answer.status == 400, "\(answer.response.text)")
    }

    @Test func `a query finds ids in both forms`() {
        let long = ids[0].description
        #expect(names("WHERE Id IN ('\(long)', '\(long.prefix(15))', '\(ids[2])')") == ["Beta", "Gamma's"])
        var client = client
        let answer = client.query("SELECT Id FROM Interaction WHERE AccountId = '\(long.prefix(15))'")
        #expect(answer["totalSize"] == 1)
    }

    @Test func `COUNT returns a number and no records`() {
        var client = client
        let answer = client.query("SELECT COUNT() FROM Account WHERE Type = 'Customer'")
        #expect(answer.response.text == #"{"totalSize":2,"done":true,"records":[]}"#)
    }

    @Test(arguments: [
        ("", "MALFORMED_QUERY"), ("SELECT", "MALFORMED_QUERY"), ("SELECT Id", "MALFORMED_QUERY"),
        ("SELECT Id FROM Nope", "INVALID_TYPE"), ("SELECT Nope FROM Account", "INVALID_FIELD"),
        ("SELECT Id FROM Account WHERE Nope = 1", "INVALID_FIELD"),
        ("SELECT Id FROM Account ORDER BY Nope", "INVALID_FIELD"),
        ("SELECT Id FROM Account ORDER BY \(String(repeating: "Id,", count: 32))Id", "MALFORMED_QUERY"),
        ("SELECT Id, id FROM Account", "MALFORMED_QUERY"), ("SELECT Id FROM Account WHERE", "MALFORMED_QUERY"),
        ("SELECT Id FROM Account WHERE Name = 'x", "MALFORMED_QUERY"),
        ("SELECT Id FROM Account WHERE Name = Beta", "MALFORMED_QUERY"),
        (#"SELECT Id FROM Account WHERE Name = '\q'"#, "MALFORMED_QUERY"),
        ("SELECT Id FROM Account WHERE LastModifiedDate > '2026-05-20T20:49:32.000Z'", "INVALID_FIELD"),
        ("SELECT Id FROM Account WHERE LastModifiedDate > 2026-05-20", "MALFORMED_QUERY"),
        ("SELECT Id FROM Account WHERE LastModifiedDate > 5", "INVALID_FIELD"),
        ("SELECT Id FROM Account WHERE Name > TODAY", "INVALID_FIELD"),
        ("SELECT Id FROM Account WHERE Id = 'nobody'", "INVALID_QUERY_FILTER_OPERATOR"),
        ("SELECT Id FROM Account WHERE Id IN ()", "MALFORMED_QUERY"),
        ("SELECT Id FROM Account WHERE Name = 'a' AND Name = 'b' OR Name = 'c'", "MALFORMED_QUERY"),
        ("SELECT Id FROM Account LIMIT -1", "MALFORMED_QUERY"), ("SELECT Id FROM Account LIMIT 1.5", "MALFORMED_QUERY"),
        ("SELECT Id FROM Account; DROP", "MALFORMED_QUERY"), ("SELECT Id FROM Account x", "MALFORMED_QUERY"),
        ("DELETE FROM Account", "MALFORMED_QUERY"), ("SELECT Id FROM Account OFFSET 2001", "MALFORMED_QUERY"),
        ("SELECT Id FROM Account WHERE " + String(repeating: "(", count: 5_000), "MALFORMED_QUERY"),
        ("SELECT Id FROM Account WHERE " + String(repeating: "NOT ", count: 1_000), "MALFORMED_QUERY"),
    ])
    func `an invalid query is refused with the platform's code`(text: String, code: String) {
        var client = client
        let answer = client.query(text)
        #expect(answer.status == 400)
        #expect(answer.code == code, "\(answer.response.text)")
    }

    @Test func `a query without the parameter q, and one that is not UTF-8, are malformed`() {
        var client = client
        #expect(client.call("GET", "query").code == "MALFORMED_QUERY")
        let request = ServiceRequest(
            "GET", "\(OrgClient.root)/query", query: "q=%ff", headers: ["authorization": "Bearer good"])
        #expect(client.rest.answer(request, &client.org, at: client.now).status == 400)
    }

    // MARK: Pages

    private func manyRecords() throws -> OrgClient {
        var client = OrgClient()
        for number in 0..<450 { _ = try client.create("Account", ["Name": .string("N\(number)")]) }
        return client
    }

    private static let small = ["sforce-query-options": "batchSize=200"]

    @Test func `each page names the next one except the last`() throws {
        var client = try manyRecords()
        var answer = client.query("SELECT Id FROM Account", headers: Self.small)
        var counts: [Int] = []
        var seen: Set<JSONValue> = []
        while true {
            #expect(answer.status == 200)
            #expect(answer["totalSize"] == 450)
            counts.append(answer.values("Id").count)
            seen.formUnion(answer.values("Id"))
            guard let next = answer["nextRecordsUrl"]?.string else { break }
            #expect(answer["done"] == false)
            answer = client.call("GET", next)
        }
        #expect(answer["done"] == true)
        #expect(counts == [200, 200, 50])
        #expect(seen.count == 450)
    }

    @Test(
        arguments: [
            (nil, 450), ("batchSize=10", 200), ("batchSize=9999", 450), ("batchSize=x", 450),
            ("lang=en, batchSize=300", 300), ("BATCHSIZE=250", 250),
        ] as [(String?, Int)])
    func `the requested page size is limited to the range from 200 to 2,000`(option: String?, expected: Int) throws {
        var client = try manyRecords()
        let headers = option.map { ["sforce-query-options": $0] } ?? [:]
        #expect(client.query("SELECT Id FROM Account", headers: headers).values("Id").count == expected)
    }

    @Test func `later pages show the records as they were at the query`() throws {
        var client = try manyRecords()
        let first = client.query("SELECT Id, Name FROM Account ORDER BY LastModifiedDate", headers: Self.small)
        let last = try #require(client.org.records(of: "Account").last)
        _ = try client.org.update(last.id, ["Name": "new"], by: .user(1), at: client.now)
        try client.org.delete(client.org.records(of: "Account")[300].id, by: .user(1), at: client.now)
        let next = try #require(first["nextRecordsUrl"]?.string)
        let second = client.call("GET", next)
        #expect(second.values("Id").count == 200)
        let third = client.call("GET", try #require(second["nextRecordsUrl"]?.string))
        #expect(third.values("Name").last == "N449")
    }

    @Test func `a page can be asked for again, but not by another user nor after 15 minutes without use`() throws {
        var client = try manyRecords()
        let next = try #require(
            client.query("SELECT Id FROM Account", headers: Self.small)["nextRecordsUrl"]?.string)
        #expect(client.call("GET", next, token: "other").code == "INVALID_QUERY_LOCATOR")
        client.pass(seconds: 899)
        let once = client.call("GET", next)
        client.pass(seconds: 899)
        #expect(client.call("GET", next).response.body == once.response.body)
        client.pass(seconds: 900)
        let late = client.call("GET", next)
        #expect(late.status == 400 && late.code == "INVALID_QUERY_LOCATOR")
    }

    @Test(arguments: ["x", "-", "01gxx0000000001", "01gxx0000000001-", "01gxx0000000001-0", "01gxx0000000001-450"])
    func `an unknown locator is refused`(locator: String) throws {
        var client = try manyRecords()
        _ = client.query("SELECT Id FROM Account", headers: Self.small)
        #expect(client.call("GET", "query/\(locator)").code == "INVALID_QUERY_LOCATOR")
    }

    @Test func `the eleventh open query of a user closes the oldest`() throws {
        var client = try manyRecords()
        var pages: [String] = []
        for _ in 0..<11 {
            client.pass(seconds: 1)
            let answer = client.query("SELECT Id FROM Account", headers: Self.small)
            pages.append(try #require(answer["nextRecordsUrl"]?.string))
        }
        #expect(pages.map { client.call("GET", $0).status } == [400] + Array(repeating: 200, count: 10))
    }

    @Test func `queryAll also returns deleted records`() throws {
        var client = client
        try client.org.delete(ids[0], by: .user(1), at: client.now)
        let text = ["q": "SELECT Id, IsDeleted FROM Account ORDER BY Name"]
        #expect(client.call("GET", "query", query: text).values("IsDeleted") == [false, false])
        #expect(client.call("GET", "queryAll", query: text).values("IsDeleted") == [false, true, false])
    }
}
