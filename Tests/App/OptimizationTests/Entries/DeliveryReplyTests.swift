import Foundation
import PushDispatch
import Testing

@testable import Optimization

struct DeliveryReplyTests {
    @Test func `an envelope is read with its numbers`() throws {
        let text = #"""
            {"sys":{"type":"Array"},"total":7,"skip":2,"limit":1,"items":[{"sys":{"id":"a","type":"Entry"},"fields":{}}],
            "includes":{"Entry":[{"sys":{"id":"b"}}],"Asset":[{"sys":{"id":"c","type":"Asset"}}]}}
            """#
        let reply = try DeliveryReply.read(Array(text.utf8))
        #expect(reply.total == 7 && reply.skip == 2 && reply.limit == 1 && reply.issues.isEmpty)
        #expect(reply.items.map(\.id) == ["a"] && Set(reply.includes.map(\.id)) == ["b", "c"])
    }

    @Test func `what cannot be used is left out with its place`() throws {
        let reply = try DeliveryReply.read([
            "total": "many", "skip": -3, "items": [1, [:], ["sys": ["id": "a"]]],
            "includes": ["Entry": 7, "Asset": [.null]],
        ])
        #expect(reply.items.map(\.id) == ["a"] && reply.total == 1 && reply.skip == 0)
        #expect(
            reply.issues.map(\.path) == ["items[0]", "items[1]", "total", "includes.Asset[0]", "includes.Entry"])
    }

    @Test func `another shape is an error`() {
        for text in ["[]", "{}", #"{"items":{}}"#, "{"] {
            let error = #expect(throws: OptimizationError.self) { try DeliveryReply.read(Array(text.utf8)) }
            #expect(error?.code == .invalidValue)
        }
    }

    @Test func `a reply above the limits is an error that says which`() {
        let deep = #"{"items":"# + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "}"
        let error = #expect(throws: OptimizationError.self) { try DeliveryReply.read(Array(deep.utf8)) }
        #expect(error?.detail.contains("more than 64 nested") == true)
        let long = #expect(throws: OptimizationError.self) {
            try DeliveryReply.read(Array(#"{"items":[]}"#.utf8), maximumBytes: 11)
        }
        #expect(long?.detail.contains("more than 11 bytes") == true)
    }

    @Test func `a megabyte of links to one entry is read, and linked as far as it fits`() throws {
        var text = #"{"items":[{"sys":{"id":"root","type":"Entry"},"fields":{"list":["#
        let link = #"{"sys":{"type":"Link","linkType":"Entry","id":"leaf"}}"#
        text += [String](repeating: link, count: 20_000).joined(separator: ",") + "]}},"
        text += #"{"sys":{"id":"leaf","type":"Entry"},"fields":{"n":[1,2,3,4,5,6,7,8,9]}}]}"#
        let (entries, unreplaced) = try DeliveryReply.read(Array(text.utf8)).linkedEntries()
        #expect(entries.count == 2 && unreplaced == [UnreplacedLink(EntryLink(id: "leaf"), .tooLarge)])
    }

    @Test func `an entry from a dictionary is the same as from a text`() throws {
        let data = Data(TestEntries.hero.json.compactBytes)
        let dictionary = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(try ContentEntry(dictionary: dictionary) == TestEntries.hero)
        #expect(try ContentEntry(dictionary: TestEntries.hero.dictionary) == TestEntries.hero)
    }

    @Test func `what JSON does not have is left out of a dictionary and named`() throws {
        var issues: [ReadingIssue] = []
        let entry = try ContentEntry(
            dictionary: ["sys": ["id": "a"], "fields": ["date": Date(), "n": 1]], issues: &issues)
        #expect(entry.fields == ["n": 1] && issues.map(\.path) == ["/fields/date"])
        var deep: [String: Any] = [:]
        for _ in 0..<200 { deep = ["a": deep] }
        let error = #expect(throws: OptimizationError.self) { try ContentEntry(dictionary: deep) }
        #expect(error?.code == .invalidValue)
    }

    @Test func `an entry says what keeps it from being complete`() {
        let cases: [(JSONValue, EntryProblem?)] = [
            (TestEntries.entry("a"), nil), (["sys": ["id": "a"], "fields": [:]], nil),
            (TestEntries.link("a"), .unresolvedLink), ([:], .noSys), (["sys": 1], .noSys),
            (["sys": [:], "fields": [:]], .noID), (["sys": ["id": ""], "fields": [:]], .noID),
            (["sys": ["id": "a"]], .noFields), (["sys": ["id": "a", "type": "Asset"], "fields": [:]], .notAnEntry),
        ]
        for (value, problem) in cases { #expect(ContentEntry(value.object ?? [:]).problem == problem, "\(value)") }
    }
}
