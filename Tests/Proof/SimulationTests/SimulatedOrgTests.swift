import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing

@testable import Simulation
import ServiceHost

struct SimulatedOrgTests {
    private let first = RecordID("005xx0000000010")!
    private let second = RecordID("005xx0000000020")!

    private func at(_ seconds: Int64) -> ServerDate { ServerDate(millisecondsSince1970: 1_000 * seconds) }

    private func get(_ path: String, query: String = "", _ token: String, _ org: inout SimulatedOrg) -> JSONValue? {
        let request = ServiceRequest(
            "GET", "/services/data/v66.0/\(path)", query: query, headers: ["authorization": "Bearer \(token)"])
        return EditText.value(org.answer(request, at: at(200)).response.body)
    }

    @Test func `a page names the next one, and fetching a lost one is refused`() throws {
        var org = SimulatedOrg(users: [first]) { settings in
            settings.minimumPageSize = 2
            settings.maximumPageSize = 2
        }
        for second in 1...3 {
            _ = org.create("Account", ["Name": .string("\(second)")], by: first, at: at(Int64(second)))
        }
        let token = org.logIn(first, at: at(9)).accessToken
        let page = get("query", query: "q=SELECT+Name+FROM+Account", token, &org)?.object
        #expect(page?["records"]?.array?.count == 2)
        let next = try #require(page?["nextRecordsUrl"]?.string).dropFirst("/services/data/v66.0/".count)
        #expect(get(String(next), token, &org)?.object?["done"] == true)
        org.losePages()
        #expect(
            get(String(next), token, &org)?.array?.first?.object?["errorCode"] == .string("INVALID_QUERY_LOCATOR"))
    }

    @Test func `a hidden record is not shown, and a deletion is listed until it is forgotten`() throws {
        var org = SimulatedOrg(users: [first, second])
        let made = org.create("Account", ["Name": "A"], by: first, hiddenFrom: [second], at: at(1))
        let record = try #require(made)
        #expect(org.shows(record, to: first) && !org.shows(record, to: second))
        #expect(org.rows(of: "Account", for: second).isEmpty)
        org.delete(record, at: at(60))
        org.delete(record, at: at(90))
        #expect(!org.shows(record, to: first))
        let token = org.logIn(first, at: at(60)).accessToken
        let span = "start=1970-01-01T00:00:00Z&end=1970-01-01T00:03:00Z"
        let list = get("sobjects/Account/deleted/", query: span, token, &org)?.object?["deletedRecords"]?.array
        #expect(list?.map { $0.object?["deletedDate"] } == [.string(at(60).description)])
        org.forgetDeletions(before: at(80))
        #expect(get("sobjects/Account/deleted/", query: span, token, &org)?.object?["deletedRecords"] == [])
    }

    @Test func `an automatic change moves only the system stamp`() throws {
        var org = SimulatedOrg(users: [first])
        let made = org.create("Account", ["Name": "A"], by: first, at: at(1))
        let record = try #require(made)
        let change = Org.Change(record, ["Name": "B"])
        #expect(org.update([change], by: first, from: .automaticProcess, at: at(5)) != nil)
        #expect(org.org[record]?.lastModified == at(1))
        #expect(org.org[record]?.systemModstamp == at(5))
        #expect(org.update([change], by: second, at: at(6)) != nil)
        org.hide(record, from: second)
        #expect(org.update([change], by: second, at: at(7)) == nil)
    }

    @Test func `an external id belongs to its record also after that is deleted`() throws {
        var org = SimulatedOrg(users: [first])
        let made = org.create("Account", ["Name": "A"], by: first, at: at(1))
        let record = try #require(made)
        #expect(!org.hasDeleted(external: "x"))
        org.created(record, external: "x")
        #expect(!org.hasDeleted(external: "x"))
        org.delete(record, at: at(2))
        #expect(org.hasDeleted(external: "x"))
    }

    @Test func `a session ends alone, and a log-in with all its sessions`() throws {
        var org = SimulatedOrg(users: [first])
        let tokens = org.logIn(first, at: at(1))
        let refresh = try #require(tokens.refreshToken)
        #expect(org.user(of: tokens.accessToken, at: at(2)) == first)
        org.endSession(tokens.accessToken)
        #expect(org.user(of: tokens.accessToken, at: at(2)) == nil)
        #expect(org.renews(refresh))
        org.endLogIn(refresh)
        #expect(!org.renews(refresh))
    }
}
