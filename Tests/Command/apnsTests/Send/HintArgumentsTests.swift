import ArgumentParser
import PayloadJSON
import Testing

@testable import apns

struct HintArgumentsTests {
    @Test func `each account has its own payload, with the changed fields`() throws {
        let hint = try HintArguments(
            type: "ACCOUNT_UPDATE", records: ["001xx0000000001AAA", "001xx0000000002AAA"], changed: "Name, Owner,")
        #expect(hint.changed == ["Name", "Owner"])
        let payloads = try hint.payloads().map { String(decoding: $0, as: UTF8.self) }
        #expect(payloads.count == 2)
        #expect(payloads[0].contains("001xx0000000001AAA") && payloads[1].contains("001xx0000000002AAA"))
        #expect(payloads.allSatisfy { $0.contains("Name, Owner") })
        #expect(hint.announcement(payloadCount: 2)?.contains("The 2 records are sent as 2 notifications") == true)
        #expect(hint.announcement(payloadCount: 1) == nil)
    }

    @Test func `interactions share a payload as long as they fit`() throws {
        let few = try HintArguments(
            type: "INTERACTION", records: ["001xx0000000001AAA", "001xx0000000002AAA"], changed: nil)
        #expect(try few.payloads().count == 1)
        let many = try HintArguments(
            type: "INTERACTION", records: (0..<400).map { "001xx00000000\($0 + 10_000)" }, changed: nil)
        let payloads = try many.payloads()
        #expect(payloads.count > 1 && payloads.allSatisfy { $0.count <= 4096 })
    }

    @Test(arguments: [
        ("INTERACTIO", ["a"], String?.none, "did you mean INTERACTION?"), ("INTERACTION", [], nil, "--record ID"),
        ("INTERACTION", ["a"], "Name", "has no changed fields"),
    ])
    func `what does not fit is refused`(type: String, records: [String], changed: String?, says: String) {
        let error = #expect(throws: ValidationError.self) {
            try HintArguments(type: type, records: records, changed: changed)
        }
        #expect(error?.message.contains(says) == true, "\(String(describing: error))")
    }
}
