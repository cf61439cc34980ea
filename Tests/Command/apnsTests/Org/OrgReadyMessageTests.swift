import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing

@testable import apns

struct OrgReadyMessageTests {
    private let user = RecordID("005xx000001X8UzAAK")!

    private func edit(_ objects: [OrgObject], records: [String]) throws -> String {
        let edit = OrgReadyMessage.edit(of: try org(objects, records: records))
        return "\(edit.object).\(edit.field)"
    }

    private func org(_ objects: [OrgObject], records: [String]) throws -> Org {
        var org = Org(objects: objects)
        let now = try #require(ServerDate("2026-11-28T00:00:00Z"))
        for name in records { _ = try org.create(name, ["Name": "N"], by: user, at: now) }
        return org
    }

    private func object(_ name: String, prefix: String, watches fields: [String]?) -> OrgObject {
        let trigger = fields.map { names in
            PushTrigger(
                "T", form: .grouped(idsKey: "recordIds"),
                watched: names.map { PushTrigger.WatchedField($0, token: $0) })
        }
        return OrgObject(name, keyPrefix: prefix, customFields: ["Region"], trigger: trigger)
    }

    @Test func `the edit that is suggested is of a watched field that takes any text`() throws {
        let watched = object("Case", prefix: "500", watches: ["OwnerId", "Region"])
        #expect(try edit([watched], records: ["Case"]) == "Case.Region")
    }

    @Test func `an object without a trigger, or without records, is suggested only if there is no other`() throws {
        let plain = object("Case", prefix: "500", watches: nil)
        let watched = object("Lead", prefix: "00Q", watches: ["Region"])
        #expect(try edit([plain, watched], records: ["Case", "Lead"]) == "Lead.Region")
        #expect(try edit([plain, watched], records: ["Case"]) == "Case.Name")
        #expect(try edit([plain], records: []) == "Account.Name")
    }
}
