import DeviceSimulator
import PushDispatch
import Testing

@testable import apns

struct OrgEndpointTests {
    @Test(arguments: [("Account", "Account"), ("a b&c", "a%20b%26c"), ("é\u{1}", "%c3%a9%01"), ("", "")])
    func `a value in a query is percent-encoded`(text: String, encoded: String) {
        #expect(OrgEndpoint.encoded(text) == encoded)
    }

    @Test func `an answer that is too large is told apart from an org that is not there`() throws {
        let endpoint = try #require(ControlEndpoint(url: "http://127.0.0.1:8446"))
        let absent = OrgEndpoint.failure(.unreachable, "x", at: endpoint)
        #expect(absent.message.contains("no org answers at http://127.0.0.1:8446: is it running?"))
        let large = OrgEndpoint.failure(.tooLarge, "more than 5 bytes", at: endpoint)
        #expect(large.message.hasPrefix("more than 5 bytes: list fewer records") && large.status == .failed)
    }

    @Test func `an org is known by its state`() {
        #expect(OrgEndpoint.isState(["users": [], "objects": [["name": "Account"]], "devices": 0]))
        #expect(!OrgEndpoint.isState(["status": 404, "detail": "there is no /simulator/"]))
        #expect(!OrgEndpoint.isState(.null))
    }

    @Test func `a list that is cut says whether --limit helps`() {
        #expect(OrgRecordsCommand.note(total: 100, limit: 100) == nil)
        #expect(OrgRecordsCommand.note(total: 101, limit: 100) == "101 in all; --limit lists more")
        let most = OrgRecordsCommand.note(total: 1_400, limit: 1_000)
        #expect(most?.hasPrefix("1400 in all; this command lists up to 1000, and a query over REST") == true)
    }

    @Test func `the user to act as is the first person, and not an integration`() {
        let state: JSONValue = [
            "users": [["name": "sync", "kind": "integration"], ["name": "Ada", "kind": "person"], ["name": "Bob"]]
        ]
        #expect(OrgEndpoint.firstPerson(in: state) == "Ada")
        #expect(OrgEndpoint.firstPerson(in: ["users": [["name": "sync", "kind": "integration"]]]) == "sync")
        #expect(OrgEndpoint.firstPerson(in: .null) == "")
    }
}
