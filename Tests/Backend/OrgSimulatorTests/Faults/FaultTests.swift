import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

struct FaultTests {
    private var client = OrgClient()
    private let id: RecordID

    init() throws { id = try client.create() }

    private func with(_ fault: OrgFault) -> OrgClient {
        var client = client
        client.org.faults.add(fault)
        return client
    }

    @Test func `a refusal affects its number of matching calls and no others`() {
        var client = with(
            OrgFault(
                .refuse(status: 503, code: "SERVER_UNAVAILABLE"), match: .init(method: "GET", path: "/query"), count: 2)
        )
        #expect(client.call("GET", "limits").status == 200)
        let answers = (0..<3).map { _ in client.query("SELECT Id FROM Account") }
        #expect(answers.map(\.status) == [503, 503, 200])
        #expect(answers[0].code == "SERVER_UNAVAILABLE")
        #expect(client.org.log.entries().map(\.event) == ["FAULT", "FAULT"])
    }

    @Test func `an expired token stays expired, even one without a log-in`() {
        var client = with(OrgFault(.expireToken, match: .init(user: .user(1)), count: 1))
        #expect(client.call("GET", "limits", token: "other").status == 200)
        #expect(client.call("GET", "limits").code == "INVALID_SESSION_ID")
        #expect(client.call("GET", "limits").code == "INVALID_SESSION_ID")
        let token = client.rest.logIn(.user(1), clientID: "a", &client.org, at: client.now).accessToken
        client.org.faults.add(OrgFault(.expireToken, count: 1))
        #expect((0..<2).map { _ in client.call("GET", "limits", token: token).status } == [401, 401])
    }

    @Test func `a revoked refresh token ends the log-in`() {
        var client = with(OrgFault(.revokeRefreshToken, count: 1))
        let tokens = client.rest.logIn(.user(1), clientID: "a", &client.org, at: client.now)
        #expect(client.call("GET", "limits", token: tokens.accessToken).status == 200)
        let form = [
            "grant_type": "refresh_token", "refresh_token": tokens.refreshToken ?? "", "client_id": "a",
        ]
        #expect(client.post("/services/oauth2/token", form: form)["error"] == "invalid_grant")
        #expect(client.call("GET", "limits", token: tokens.accessToken).status == 401)
    }

    @Test func `a fault rule can make the daily limit appear reached`() {
        var client = with(OrgFault(.reachLimit, count: 1))
        #expect(client.call("GET", "limits").code == "REQUEST_LIMIT_EXCEEDED")
        #expect(client.call("GET", "limits").status == 200)
    }

    @Test func `a delay is reported, and is the same with the same seed`() {
        let delays = (0..<2).map { _ in
            var client = client
            client.org.faults = OrgFaults(seed: 7)
            client.org.faults.add(OrgFault(.delay(10...2_000)))
            return (0..<20).map { _ in client.call("GET", "limits").delay }
        }
        #expect(delays[0] == delays[1])
        #expect(delays[0].allSatisfy { (10...2_000).contains($0) })
        #expect(Set(delays[0]).count > 10)
    }

    @Test func `a broken connection leaves the call undone or unanswered`() {
        var before = with(OrgFault(.disconnect(afterBytes: nil), count: 1))
        let lost = before.call("PATCH", "sobjects/Account/\(id)", ["Name": "B"])
        #expect(lost.disconnectsAfter == -1 && lost.pushes.isEmpty)
        #expect(before.org[id]?.fields["Name"] == "A")
        var after = with(OrgFault(.disconnect(afterBytes: 0), count: 1))
        let done = after.call("PATCH", "sobjects/Account/\(id)", ["Name": "B"])
        #expect(done.disconnectsAfter == 0 && done.pushes.count == 1)
        #expect(after.org[id]?.fields["Name"] == "B")
    }

    @Test func `a lost page is unavailable, and the query has to start again`() throws {
        var client = client
        client.org.settings.minimumPageSize = 1
        for _ in 0..<4 { _ = try client.create() }
        client.org.faults.add(OrgFault(.losePage, count: 1))
        let headers = ["sforce-query-options": "batchSize=2"]
        let next = try #require(client.query("SELECT Id FROM Account", headers: headers)["nextRecordsUrl"]?.string)
        #expect(client.call("GET", next).code == "INVALID_QUERY_LOCATOR")
        #expect(client.call("GET", next).code == "INVALID_QUERY_LOCATOR")
        let again = try #require(client.query("SELECT Id FROM Account", headers: headers)["nextRecordsUrl"]?.string)
        #expect(client.call("GET", again).status == 200)
    }

    @Test func `a fault can hide a field from one call`() {
        var client = with(OrgFault(.hideField(object: "Account", field: "Name"), count: 1))
        #expect(client.query("SELECT Name FROM Account").code == "INVALID_FIELD")
        #expect(client.query("SELECT Name FROM Account").status == 200)
    }

    @Test func `a rule is removed at its time, and its probability uses the seed`() {
        var client = with(
            OrgFault(.refuse(status: 500, code: "UNKNOWN_EXCEPTION"), until: .start.after(seconds: 10)))
        #expect(client.call("GET", "limits").status == 500)
        client.pass(seconds: 10)
        #expect(client.call("GET", "limits").status == 200)
        #expect(client.org.faults.rules.isEmpty)
        client.org.faults.add(OrgFault(.refuse(status: 500, code: "UNKNOWN_EXCEPTION"), probability: 0.5))
        let hits = (0..<200).count { _ in client.call("GET", "limits").status == 500 }
        #expect((60...140).contains(hits))
    }

    @Test func `the number of rules is bounded`() {
        var faults = OrgFaults()
        for _ in 0..<OrgFaults.maximumRules { #expect(faults.add(OrgFault(.reachLimit)) != nil) }
        #expect(faults.add(OrgFault(.reachLimit)) == nil)
    }

    @Test func `the log keeps the last 5,000 entries with consecutive numbers`() {
        var log = OrgLog()
        for _ in 0..<5_010 { log.add("X", at: .start) }
        #expect(log.lastNumber == 5_010)
        #expect(log.entries().map(\.number) == Array(11...5_010))
        #expect(log.entries(after: 5_008).map(\.number) == [5_009, 5_010])
        #expect(log.entries(after: 9_999).isEmpty)
        #expect(log.entries(after: 0, limit: 2).map(\.number) == [11, 12])
    }
}
