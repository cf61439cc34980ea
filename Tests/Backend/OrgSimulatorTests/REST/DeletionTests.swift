import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

struct DeletionTests {
    private var client = OrgClient()
    private let ids: [RecordID]

    init() throws {
        ids = [try client.create(), try client.create(), try client.create("Interaction")]
        client.pass(seconds: 600)
    }

    private func list(_ what: String, _ client: inout OrgClient, from start: Int64, to end: Int64) -> OrgREST.Answer {
        client.call(
            "GET", "sobjects/Account/\(what)/",
            query: [
                "start": client.now.after(seconds: start).description,
                "end": client.now.after(seconds: end).description,
            ])
    }

    @Test func `a deleted record is reported as deleted and listed with its date`() throws {
        var client = client
        #expect(client.call("DELETE", "sobjects/Account/\(ids[0])").status == 204)
        #expect(client.org[ids[0]] == nil)
        for method in ["GET", "DELETE"] {
            let answer = client.call(method, "sobjects/Account/\(ids[0])")
            #expect(answer.status == 404 && answer.code == "ENTITY_IS_DELETED")
        }
        let date = client.now
        client.pass(seconds: 60)
        let answer = list("deleted", &client, from: -600, to: 120)
        #expect(
            answer["deletedRecords"] == [
                ["id": .string(ids[0].description), "deletedDate": .string(date.description)]
            ])
        #expect(answer["latestDateCovered"] == .string(client.now.description))
        #expect(
            answer["earliestDateAvailable"] == .string(client.now.after(seconds: -15 * 86_400).description))
    }

    @Test func `changed records are listed by system stamp, including changes by flows`() throws {
        var client = client
        #expect(list("updated", &client, from: -540, to: 60)["ids"] == [])
        _ = try client.org.update(
            ids[1], ["Phone": "1"], by: .user(2), from: .automaticProcess, at: client.now.after(seconds: -120))
        let record = try #require(client.org[ids[1]])
        #expect(record.lastModified == .start && record.lastModifiedBy == .user(1))
        #expect(list("updated", &client, from: -540, to: 60)["ids"] == [.string(ids[1].description)])
    }

    @Test(
        arguments: [
            (-600, -600), (-60, -600), (-31 * 86_400, 0), (-16 * 86_400, 0),
        ] as [(Int64, Int64)])
    func `a time range that is empty or too far back is refused`(start: Int64, end: Int64) {
        var client = client
        let answer = list("deleted", &client, from: start, to: end)
        #expect(answer.status == 400 && answer.code == "INVALID_REPLICATION_DATE")
        #expect(list("updated", &client, from: start, to: end).status == (start == -16 * 86_400 ? 200 : 400))
    }

    @Test(arguments: [[:], ["start": "2026-05-20T20:49:32Z"], ["start": "x", "end": "y"]])
    func `a time range needs two valid dates`(query: [String: String]) {
        var client = client
        #expect(client.call("GET", "sobjects/Account/deleted", query: query).status == 400)
    }

    @Test func `time ranges ignore seconds`() throws {
        var client = client
        try client.org.delete(ids[0], by: .user(1), at: client.now)
        // The deletion at …:32 lies before the start at …:45, but in its minute.
        let answer = list("deleted", &client, from: 13, to: 73)
        #expect(answer["deletedRecords"]?.array?.count == 1)
    }

    @Test func `deletions are forgotten after 15 days, or when they are purged`() throws {
        var client = client
        try client.org.delete(ids[0], by: .user(1), at: client.now)
        client.pass(seconds: 86_400)
        try client.org.delete(ids[1], by: .user(1), at: client.now)
        client.org.purgeDeletions(before: client.now)
        let answer = list("deleted", &client, from: -2 * 86_400, to: 60)
        #expect(answer["deletedRecords"]?.array?.count == 1)
        #expect(answer["earliestDateAvailable"] == .string(client.now.description))
        #expect(client.call("GET", "sobjects/Account/\(ids[0])").code == "NOT_FOUND")
        client.pass(seconds: 16 * 86_400)
        #expect(client.call("GET", "sobjects/Account/\(ids[1])").code == "NOT_FOUND")
        #expect(client.call("GET", "queryAll", query: ["q": "SELECT COUNT() FROM Account"])["totalSize"] == 0)
    }

    @Test func `an answer of more ids than the limit is refused`() throws {
        var client = client
        client.org.settings.maximumReplicationIDs = 1
        #expect(list("updated", &client, from: -660, to: 60).code == "EXCEEDED_ID_LIMIT")
    }

    @Test func `the memory for deletions is bounded, and the org reports what it forgot`() throws {
        var client = OrgClient(Org(maximumRecords: 3))
        for _ in 0..<10 {
            let id = try client.create()
            client.pass(seconds: 60)
            try client.org.delete(id, by: .user(1), at: client.now)
        }
        let answer = list("deleted", &client, from: -660, to: 60)
        #expect((answer["deletedRecords"]?.array?.count ?? 99) <= 3)
        let earliest = try #require(answer["earliestDateAvailable"]?.string.flatMap { ServerDate($0) })
        #expect(earliest > .start.after(seconds: 300))
    }
}
