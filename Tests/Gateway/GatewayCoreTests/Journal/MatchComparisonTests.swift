import APNSPayload
import Testing

@testable import GatewayCore

struct MatchComparisonTests {
    private static func entry(_ payload: String) throws -> JournalEntry {
        try Scenario().with { $0.body = Array(payload.utf8) }.entry()
    }

    private static func match(_ payload: PayloadValue) -> NotificationMatch {
        var match = NotificationMatch()
        match[.outcome] = .equals("refused")
        match[.topic] = .equals(Scenario.topic)
        match.payload = PayloadMatch(payload)
        return match
    }

    @Test(arguments: [
        #"{"aps":{"content-available":1,"badge":3},"list":[1,2,{"a":1}]}"#, #"{"aps":1}"#, "{nope", "[]",
    ])
    func `counting finds as much as describing, and makes no text`(payload: String) throws {
        let entry = try Self.entry(payload)
        let match = Self.match(["aps": ["badge": 4, "content-available": 1], "list": [1, 3, ["a": 2]], "none": 1])
        let counted = MatchComparison(entry, match)
        let described = MatchComparison(entry, match, describesDifferences: true)
        #expect(counted.differences == described.differences && counted.agreements == described.agreements)
        #expect(counted.described.isEmpty)
        #expect(described.described.count == described.differences)
    }

    @Test func `no more differences are described than are shown, and all count`() throws {
        let members = (0..<100).map { ("k\($0)", PayloadValue.integer(1)) }
        let match = Self.match(.object(Dictionary(uniqueKeysWithValues: members)))
        let comparison = MatchComparison(try Self.entry("{}"), match, describesDifferences: true)
        #expect(comparison.differences >= 100)
        #expect(comparison.described.count == NearMiss.maximumDifferences)
    }

    @Test func `a key with a slash or a tilde is a step of a JSON pointer`() throws {
        let entry = try Self.entry(#"{"a/b":{"~":1}}"#)
        let miss = try #require(NearMiss(entry, Self.match(["a/b": ["~": 2]])))
        #expect(miss.differences.last?.field == "payload/a~1b/~0")
    }
}
