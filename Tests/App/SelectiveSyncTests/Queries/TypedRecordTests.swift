import Foundation
import PushDispatch
import SelectiveSync
import Testing

struct TypedRecordTests {
    private struct Owner: Codable, Equatable {
        var Name: String
    }

    private struct Account: Codable, Equatable, Sendable {
        enum CodingKeys: String, CodingKey {
            case name = "Name"
            case employees = "NumberOfEmployees"
            case revenue = "AnnualRevenue"
            case isActive = "Active__c"
            case visited = "Visited__c"
            case site = "Website"
            case tags = "Tags__c"
        }

        var name: String
        var employees: Int?
        var revenue: Decimal?
        var isActive: Bool?
        var visited: Date?
        var site: URL?
        var tags: [String]?
    }

    private let store = MemoryRecordStore()
    private let key = RecordKey.server(.test(1))

    private func put(_ fields: [String: JSONValue]) async {
        await store.put(LocalRecord(key, fields: fields), of: "Account")
    }

    private func fields() async -> [String: JSONValue]? { await store.record(key, of: "Account")?.fields }

    @Test func `numbers, Booleans, dates and links decode`() throws {
        let fields: [String: JSONValue] = [
            "Name": "Nord", "NumberOfEmployees": .number(5), "AnnualRevenue": .number(0.1), "Active__c": 1,
            "Visited__c": "1970-01-01T00:00:01.500+0000", "Website": "https://example.com/a", "Tags__c": ["a", "b"],
        ]
        let account = try LocalRecord(key, fields: fields).decode(Account.self)
        #expect(account.employees == 5 && account.isActive == true && account.tags == ["a", "b"])
        #expect(account.revenue == Decimal(string: "0.1"))
        #expect(account.visited == Date(timeIntervalSince1970: 1.5))
        #expect(account.site == URL(string: "https://example.com/a"))
        let day = try LocalRecord(key, fields: ["Name": "a", "Visited__c": "1970-01-02"]).decode(Account.self)
        #expect(day.visited == Date(timeIntervalSince1970: 86_400))
        #expect(day.employees == nil)
    }

    @Test(
        arguments: [
            ["Name": 5], [:], ["Name": .null], ["Name": "a", "NumberOfEmployees": .number(5.5)],
            ["Name": "a", "NumberOfEmployees": "5"], ["Name": "a", "Active__c": 2],
            ["Name": "a", "Visited__c": "soon"],
            ["Name": "a", "AnnualRevenue": "1"], ["Name": "a", "Tags__c": [1]], ["Name": "a", "Tags__c": "a"],
        ] as [[String: JSONValue]])
    func `a record that does not fit is an error without its values`(fields: [String: JSONValue]) {
        let error = #expect(throws: DecodingError.self) { try LocalRecord(key, fields: fields).decode(Account.self) }
        #expect(error.map { "\($0)".contains("soon") } == false)
    }

    @Test func `an edit sets the changed fields only`() async throws {
        let fields: [String: JSONValue] = [
            "Id": .string(key.description), "Name": "a", "NumberOfEmployees": .number(5),
            "AnnualRevenue": .number(1.50),
            "Visited__c": "2026-05-20T22:00:00+02:00", "Other": "x", "Website": "https://example.com",
        ]
        await put(fields)
        try await store.session().edit(key, of: "Account", as: Account.self) { account in
            account.name = "b"
            account.site = nil
            account.isActive = false
        }
        var expected = fields
        (expected["Name"], expected["Website"], expected["Active__c"]) = ("b", .null, false)
        #expect(await self.fields() == expected)
        let unsent = await store.record(key, of: "Account")?.unsent()
        #expect(unsent == ["Name": "b", "Website": .null, "Active__c": false])
    }

    @Test func `an edit without a change keeps the record clean`() async throws {
        await put(["Name": "a", "NumberOfEmployees": .number(5), "Visited__c": "2026-05-20"])
        try await store.session().edit(key, of: "Account", as: Account.self) { _ in }
        #expect(await store.record(key, of: "Account")?.isDirty == false)
    }

    @Test func `a date and a decimal are written in the server's form`() async throws {
        await put(["Name": "a"])
        try await store.session().edit(key, of: "Account", as: Account.self) { account in
            account.visited = Date(timeIntervalSince1970: 1.25)
            account.revenue = Decimal(string: "19.99")
            account.employees = 7
        }
        #expect(await fields()?["Visited__c"] == "1970-01-01T00:00:01.250+0000")
        #expect(await fields()?["AnnualRevenue"] == .number(19.99))
        #expect(await fields()?["NumberOfEmployees"] == .integer(7))
    }

    @Test func `an edit that throws changes nothing`() async throws {
        await put(["Name": "a"])
        await #expect(throws: TestError.self) {
            try await store.session().edit(key, of: "Account", as: Account.self) { account in
                account.name = "b"
                throw TestError()
            }
        }
        await put(["Name": 5])
        await #expect(throws: DecodingError.self) {
            try await store.session().edit(key, of: "Account", as: Account.self) { $0.name = "b" }
        }
        #expect(await fields() == ["Name": 5])
    }

    @Test func `a record is created from a value, and found as one`() async throws {
        let account = Account(name: "New", employees: 3)
        let key = try await store.session().create(account, of: "Account")
        #expect(await store.record(key, of: "Account")?.fields == ["Name": "New", "NumberOfEmployees": 3])
        let found = try await store.records(
            Account.self, RecordQuery("Account", where: RecordField("NumberOfEmployees") > 2))
        #expect(found == [account])
        #expect(try await store.record(Account.self, key, of: "Account") == account)
        await #expect(throws: EncodingError.self) { try await store.session().create(5, of: "Account") }
    }

    @Test func `nested values, lists and small integers decode and encode`() async throws {
        struct All: Codable, Equatable, Sendable {
            var owner: Owner
            var list: [[Int8]]
            var pair: [String: UInt16?]
            var date: ServerDate
            var float: Float
        }
        let value = All(
            owner: Owner(Name: "Ann"), list: [[1], []], pair: ["a": 65_535, "b": nil],
            date: ServerDate(millisecondsSince1970: 5), float: 0.1)
        let key = try await store.session().create(value, of: "All")
        #expect(try await store.record(All.self, key, of: "All") == value)
        #expect(await store.record(key, of: "All")?.fields["float"] == .number(0.1))
        try await store.session().edit(key, of: "All") { $0["list"] = [[300]] }
        await #expect(throws: DecodingError.self) { try await store.record(All.self, key, of: "All") }
    }
}
