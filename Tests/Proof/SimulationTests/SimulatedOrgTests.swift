import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing

@testable import Simulation

struct SimulatedOrgTests {
    private let first = RecordID("005xx0000000010")!
    private let second = RecordID("005xx0000000020")!

    private func at(_ seconds: Int64) -> ServerDate { ServerDate(millisecondsSince1970: 1_000 * seconds) }

    private func query(_ next: String? = nil, after: ServerDate? = nil) -> QueryRequest {
        QueryRequest(
            object: "Account", fields: ["Id", "Name", "LastModifiedDate"], orderField: "LastModifiedDate", after: after,
            next: next, timeoutMilliseconds: 1_000)
    }

    @Test func `a page names the next one, and fetching a lost one is a permanent error`() throws {
        var org = SimulatedOrg(users: [first])
        for second in 1...3 {
            _ = org.create("Account", ["Name": .string("\(second)")], by: first, at: at(Int64(second)))
        }
        let page = try org.query(query(), for: first, size: 2, at: at(9))
        #expect(page.records.compactMap { $0.fields["Name"]?.string } == ["1", "2"])
        let rest = try org.query(query(page.next), for: first, size: 2, at: at(9))
        #expect(rest.records.count == 1 && rest.next == nil)
        org.losePages()
        let error = #expect(throws: FetchError.self) { try org.query(query(page.next), for: first, size: 2, at: at(9)) }
        #expect(error?.advice == .stop)
    }

    @Test func `a hidden record is missing, and a deletion is listed once`() throws {
        var org = SimulatedOrg(users: [first, second])
        let made = org.create("Account", ["Name": "A"], by: first, hiddenFrom: [second], at: at(1))
        let record = try #require(made)
        #expect(org.shows(record, to: first) && !org.shows(record, to: second))
        org.delete(record, at: at(60))
        org.delete(record, at: at(90))
        let request = DeletionsRequest(object: "Account", start: at(0), end: at(120), timeoutMilliseconds: 1_000)
        #expect(org.deletions(request, at: at(100)).deleted.map(\.date) == [at(60)])
        #expect(org.deletions(request, at: at(100)).covered == at(100))
        org.forgetDeletions(before: at(80))
        #expect(org.deletions(request, at: at(100)).deleted.isEmpty)
        #expect(org.deletions(request, at: at(100)).earliestAvailable == at(80))
    }

    @Test func `an automatic change is found only by the system stamp`() throws {
        var org = SimulatedOrg(users: [first])
        let made = org.create("Account", ["Name": "A"], by: first, at: at(1))
        let record = try #require(made)
        let change = Org.Change(record, ["Name": "B"])
        #expect(org.update([change], by: first, from: .automaticProcess, at: at(5)) != nil)
        var request = query(after: at(2))
        #expect(try org.query(request, for: first, size: 9, at: at(9)).records.isEmpty)
        request.orderField = "SystemModstamp"
        #expect(try org.query(request, for: first, size: 9, at: at(9)).records.map(\.id) == [record])
    }

    @Test func `a change respects its condition, to the second, and its user's visibility`() throws {
        var org = SimulatedOrg(users: [first, second])
        func write(_ write: RecordWrite, by user: RecordID) -> UploadReply {
            org.write(write, of: "Account", by: user, at: at(9)).reply
        }
        guard case .done(let made, _) = write(.create(["Name": "A"]), by: first) else {
            Issue.record("nothing was made")
            return
        }
        let record = try #require(made)
        #expect(write(.update(record, ["Name": "B"], unmodifiedSince: at(8)), by: first) == .changed)
        #expect(write(.update(record, ["Name": "B"], unmodifiedSince: at(9)), by: first) == .done(id: nil, nil))
        #expect(org.org[record]?.fields["Name"] == "B")
        org.hide(record, from: second)
        #expect(write(.delete(record, unmodifiedSince: nil), by: second) == .notFound)
        #expect(write(.delete(record, unmodifiedSince: nil), by: first) == .done(id: nil, nil))
        #expect(write(.update(record, [:], unmodifiedSince: nil), by: first) == .notFound)
    }

    @Test func `an ended session can be replaced`() {
        var org = SimulatedOrg(users: [first])
        let token = org.openSession(for: first)
        #expect(org.user(of: token) == first)
        org.endSession(token)
        #expect(org.user(of: token) == nil)
        let next = org.openSession(for: first)
        #expect(org.user(of: next) == first)
    }
}
