import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

/// Records named by an external id, and the conditions of changes.
struct ExternalIDTests {
    private var client: OrgClient

    init() {
        var account = OrgObject("Account", keyPrefix: "001", customFields: ["Type", "Key__c"], trigger: .account)
        account.externalIDField = "Key__c"
        client = OrgClient(Org(objects: [account, .interaction]))
    }

    @Test func `an upsert creates a record once, and then changes it`() throws {
        var client = client
        let path = "sobjects/Account/Key__c/a%2Fb%20c+d"
        let made = client.call("PATCH", path, ["Name": "A", "Type": "x"])
        #expect(made.status == 201 && made["created"] == true)
        let changed = client.call("PATCH", path, ["Name": "B"])
        #expect(changed.status == 200 && changed["created"] == false && changed["id"] == made["id"])
        #expect(!changed.pushes.isEmpty, "a change fires the trigger")
        #expect(client.org.records(of: "Account").count == 1)
        let read = client.call("GET", path, query: ["fields": "Name,Type,Key__c"])
        #expect(read["Name"] == "B" && read["Type"] == "x" && read["Key__c"] == "a/b c+d")
        let old = client.call("PATCH", "/services/data/v45.0/\(path)", ["Name": "C"])
        #expect(old.status == 204 && old.response.body.isEmpty)
    }

    @Test func `an upsert works inside a composite call`() {
        var client = client
        let row: JSONValue = [
            "method": "PATCH", "url": "/services/data/v66.0/sobjects/Account/Key__c/a", "referenceId": "r",
            "body": ["Name": "A"],
        ]
        for status in [201, 200] {
            let answer = client.call("POST", "composite", ["compositeRequest": .array([row])])
            #expect(answer["compositeResponse"]?.array?.first?.object?["httpStatusCode"] == .integer(Int64(status)))
        }
        #expect(client.org.records(of: "Account").count == 1)
    }

    @Test func `the error for a bad external id names the cause`() throws {
        var client = client
        #expect(client.call("GET", "sobjects/Account/Key__c/none").code == "NOT_FOUND")
        #expect(client.call("PATCH", "sobjects/Account/Type/x", ["Name": "A"]).status == 404)
        #expect(client.call("PATCH", "sobjects/Interaction/Key__c/x", ["Name": "A"]).status == 404)
        #expect(client.call("PATCH", "sobjects/Account/Key__c/a", ["Key__c": "a"]).code == "INVALID_FIELD")
        #expect(client.call("DELETE", "sobjects/Account/Key__c/a").status == 405)
        for _ in 0..<2 { _ = try client.create("Account", ["Name": "A", "Key__c": "twice"]) }
        #expect(client.call("PATCH", "sobjects/Account/Key__c/twice", ["Name": "B"]).status == 300)
    }

    @Test func `a condition concerns the last change by a user, and no deletion`() throws {
        var client = client
        let id = try client.create("Account", ["Name": "A"])
        client.pass(seconds: 10)
        _ = try client.org.update(id, ["Type": "x"], by: .user(1), from: .automaticProcess, at: client.now)
        let before = ["if-unmodified-since": "Wed, 20 May 2026 20:49:32 GMT"]
        #expect(client.call("PATCH", "sobjects/Account/\(id)", ["Name": "B"], headers: before).status == 204)
        #expect(client.call("PATCH", "sobjects/Account/\(id)", ["Name": "C"], headers: before).status == 412)
        #expect(client.call("DELETE", "sobjects/Account/\(id)", headers: before).status == 204)
    }
}
