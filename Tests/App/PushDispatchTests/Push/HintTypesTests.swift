import Foundation
import PushDispatch
import Testing

struct HintTypesTests {
    private func read(_ json: String, by types: HintTypes = .standard) -> HintReading {
        types.read(Push(json: Data(json.utf8)))
    }

    private func hint(_ json: String, by types: HintTypes = .standard) throws -> Hint {
        guard case .hint(let hint) = read(json, by: types).outcome else { throw TestError() }
        return hint
    }

    @Test func `an account update names one account and what changed`() throws {
        let hint = try hint(
            #"""
            {"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2",
             "accountName":"Northwind Clinic","changedFields":"Name, Owner, Type"}
            """#)
        #expect(hint.object == "Account")
        #expect(hint.records.map(\.description) == ["001xx000003DGb2AAG"])
        #expect(hint.changedFields == ["Name", "OwnerId", "Type"])
    }

    @Test(arguments: [
        ("", []), (" , ,", []), ("Name", ["Name"]), (" Name ,\\tOwner\\n", ["Name", "OwnerId"]),
        ("Name,Name", ["Name"]),
        ("Owner,OwnerId", ["OwnerId"]), ("name, Region__c", ["name", "Region__c"]), ("A B", ["A B"]),
    ])
    func `changed fields are split, trimmed, mapped and not repeated`(text: String, fields: [String]) throws {
        let json = #"{"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2","changedFields":"\#(text)"}"#
        #expect(try hint(json).changedFields == fields)
    }

    @Test func `changed fields of the wrong type do not affect the records`() {
        let reading = read(#"{"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2","changedFields":["Name"]}"#)
        #expect(reading.issues.map(\.code) == [.wrongKind])
        #expect(reading.outcome != .nothing(.missingKey))
    }

    @Test func `an invalid id is left out, and the others are read`() throws {
        let json = #"""
            {"type":"INTERACTION","recordIds":["0xIxx0000000001EAA","short",7,null,"0xIxx0000000001","0XIXX0000000002EAA"]}
            """#
        #expect(try hint(json).records.map(\.description) == ["0xIxx0000000001EAA", "0xIxx0000000002EAA"])
        #expect(read(json).issues.map(\.code) == [.invalidID, .wrongKind, .wrongKind, .repairedID])
        #expect(read(json).issues.map(\.pointer) == ["/recordIds/1", "/recordIds/2", "/recordIds/3", "/recordIds/5"])
    }

    @Test(arguments: [
        (#"{}"#, PushIgnoreCause.missingType, [PushIssue.Code.missingKey]),
        (#"{"type":7}"#, .missingType, [.wrongKind]),
        (#"{"type":"account_update","accountId":"001xx000003DGb2"}"#, .unknownType, [.unknownType]),
        (#"{"type":"ACCOUNT_UPDATE"}"#, .missingKey, [.missingKey]),
        (#"{"type":"ACCOUNT_UPDATE","accountId":["001xx000003DGb2"]}"#, .missingKey, [.wrongKind]),
        (#"{"type":"ACCOUNT_UPDATE","accountId":""}"#, .noRecords, [.invalidID]),
        (#"{"type":"INTERACTION","recordIds":"0xIxx0000000001"}"#, .missingKey, [.wrongKind]),
        (#"{"type":"INTERACTION","recordIds":[]}"#, .noRecords, []),
        (#"{"aps":{"alert":"Test"},"type":"TEST","message":"Hello"}"#, .noRecords, []),
        (#"no json"#, .missingType, [.notJSON]),
    ])
    func `a push without a hint says why`(json: String, reason: PushIgnoreCause, codes: [PushIssue.Code]) {
        let reading = read(json)
        #expect(reading.outcome == .nothing(reason))
        #expect(reading.issues.map(\.code) == codes)
    }

    @Test func `an app adds its own type`() throws {
        var types = HintTypes.standard
        types.register(
            HintType(
                "VISIT", content: .many(object: "Visit__c", key: "visits"), changedFieldsKey: "what",
                fieldNames: ["Place": "Place__c"]))
        let hint = try hint(#"{"type":"VISIT","visits":["a01M00000062mPg"],"what":"Place"}"#, by: types)
        #expect(hint == Hint(type: "VISIT", object: "Visit__c", records: hint.records, changedFields: ["Place__c"]))
    }

    @Test func `an issue holds no value of the payload, and names are shortened`() {
        let long = String(repeating: "x", count: 500)
        let issues =
            read(#"{"type":"INTERACTION","recordIds":["Jane Doe"],"n":1}"#).issues
            + read(#"{"type":"a\u0007\u001b\#(long)"}"#).issues
        let text = issues.map(\.description).joined()
        #expect(!text.contains("Jane"))
        #expect(text.contains("a??xxx"))
        #expect(text.count < 200)
    }
}
