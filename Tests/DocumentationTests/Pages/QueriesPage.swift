import Foundation
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import Testing

private struct Account: Codable, Sendable {
    enum CodingKeys: String, CodingKey {
        case name = "Name"
        case type = "Type"
        case visited = "LastVisit__c"
    }

    var name: String
    var type: String?
    var visited: Date?
}

/// The examples of the page "Queries" and of the comments of its types.
struct QueriesPage {
    private let folder: URL
    private let id: RecordKey

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("queries-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        id = .server(try #require(RecordID("001xx000003DGb2AAG")))
    }

    @Test func `the examples run`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let indexes = QueryIndexes(
            [
                RecordIndex("Account", ["Type", "Name"]),
                RecordIndex("Visit__c", [RecordField("StartsAt__c").asDate]),
            ], search: ["Account": ["Name", "BillingCity"]])
        let store = try SQLiteStore(file: folder.appendingPathComponent("records.sqlite").path, indexes: indexes)
        let fields: [String: JSONValue] = [
            "Name": "Nord", "Type": "Customer", "BillingCity": "Kraków", "Employees": 20,
        ]
        _ = try await store.merge(
            MergeBatch("Account", [.record(ServerRecord(id: try #require(id.id), fields: fields))]))

        let customers = RecordQuery(
            "Account", where: RecordField("Type") == "Customer", order: [.ascending("Name")], limit: 50)
        let page = try await store.records(customers)
        let all = try await store.count(customers)
        #expect(page.records.count == 1 && all == 1)

        var next = customers
        next.after = page.next
        #expect(next.after == nil)

        let today = try #require(ServerDate("2026-05-20T00:00:00Z"))
        let conditions: [RecordCondition] = [
            RecordField("Type").isIn(["Customer", "Partner"]) && RecordField("Employees") > 10,
            RecordField("Name").ignoringCase.hasPrefix("no") || RecordField("OwnerId") == nil,
            RecordField("LastVisit__c") < .date(today),
            !RecordField("Owner.Name").contains("Test"),
            .search("krak nor"), .isDirty,
        ]
        for condition in conditions { _ = try await store.records(RecordQuery("Account", where: condition)) }

        let condition = RecordField("Type") == "Customer" && RecordField("Name").ignoringCase >= "m"
        let query = RecordQuery("Account", where: condition, order: [.ascending("Name")])
        #expect(try await store.records(query).records.count == 1)

        let watching = Task {
            for try await accounts in store.observe(customers) {
                show(accounts)
            }
        }
        watching.cancel()

        let plan = try await store.plan(of: customers)
        #expect(plan.count == 1)

        let session = try await store.session()
        let accounts = try await store.records(Account.self, customers)
        try await session.edit(id, of: "Account", as: Account.self) { account in
            account.name = "Nordlicht"
        }
        #expect(accounts.count == 1)
        #expect(try await store.record(id, of: "Account")?.changedFields == ["Name": "Nordlicht"])
    }

    private func show(_ accounts: RecordList) {}
}

extension LocalRecord {
    fileprivate var changedFields: [String: JSONValue] { fields.filter { $0.value != base?[$0.key] } }
}
