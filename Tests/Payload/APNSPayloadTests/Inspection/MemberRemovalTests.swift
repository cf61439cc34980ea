import APNSModel
import Foundation
import PayloadJSON
import TestSeeds
import Testing

@testable import APNSPayload

struct MemberRemovalTests {
    /// An `aps` with members in any order, each of which may be null, and white space anywhere.
    private func payload(_ random: inout TestGenerator) -> String {
        let names = ["alert", "badge", "thread-id", "category"].shuffled(using: &random)
        let members = names.prefix(Int.random(in: 1...4, using: &random)).map { name in
            let value = Bool.random(using: &random) ? "null" : name == "badge" ? "1" : #""x,}""#
            return space(&random) + #""\#(name)""# + space(&random) + ":" + space(&random) + value + space(&random)
        }
        return #"{"aps":{"# + members.joined(separator: ",") + "}}"
    }

    private func space(_ random: inout TestGenerator) -> String {
        ["", "", " ", "\n  "].randomElement(using: &random) ?? ""
    }

    private func aps(_ payload: [UInt8]) throws -> [String: String] {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
        return try #require(object["aps"] as? [String: Any]).mapValues { "\($0)" }
    }

    @Test(arguments: TestSeed.all(1...10))
    func `removing nulls one by one leaves everything else unchanged`(seed: TestSeed) throws {
        var random = seed.generator
        var validator = Validator(rules: [.nullMember])
        for _ in 0..<50 {
            var bytes = Array(payload(&random).utf8)
            while let finding = validator.findings(for: Envelope(kind: .payload, payload: bytes)).first {
                let before = try aps(bytes)
                bytes = try #require(finding.fix).applied(to: bytes)
                var expected = before
                expected[String(try #require(finding.pointer).dropFirst("/aps/".count))] = nil
                #expect(try aps(bytes) == expected)
            }
            #expect(try aps(bytes).values.allSatisfy { $0 != "<null>" })
        }
    }

    @Test func `of three equal members the later two are removed`() {
        var validator = Validator(rules: [.repeatedKey])
        var bytes = Array(#"{"a":1, "b":0 , "a":1,"a":1}"#.utf8)
        #expect(validator.findings(for: Envelope(kind: .payload, payload: bytes)).count == 2)
        while let fix = validator.findings(for: Envelope(kind: .payload, payload: bytes)).first?.fix {
            bytes = fix.applied(to: bytes)
        }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":1, "b":0}"#)
    }

    @Test func `of three members of which one differs none is removed`() {
        var validator = Validator(rules: [.repeatedKey])
        let payload = Array(#"{"a":1,"a":1,"a":2}"#.utf8)
        let findings = validator.findings(for: Envelope(kind: .payload, payload: payload))
        #expect(findings.map(\.fix) == [nil, nil])
    }
}
