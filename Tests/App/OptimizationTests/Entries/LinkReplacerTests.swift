import PushDispatch
import Testing

@testable import Optimization

struct LinkReplacerTests {
    private func reply(_ items: [JSONValue], entries: [JSONValue] = [], assets: [JSONValue] = []) throws
        -> DeliveryReply
    {
        try DeliveryReply.read([
            "sys": ["type": "Array"], "total": .integer(Int64(items.count)), "skip": 0, "limit": 100,
            "items": .array(items), "includes": ["Entry": .array(entries), "Asset": .array(assets)],
        ])
    }

    /// The entry that is so many links along the field `next`.
    private func follow(_ entry: ContentEntry, _ links: Int) -> JSONValue {
        (0..<links).reduce(entry.json) { value, _ in value.object?["fields"]?.object?["next"] ?? .null }
    }

    private func id(_ value: JSONValue) -> String? { value.object?["sys"]?.object?["id"]?.string }

    @Test func `links are replaced from items first, then from includes`() throws {
        let reply = try reply(
            [
                TestEntries.entry(
                    "page", ["hero": TestEntries.link("hero"), "list": [TestEntries.link("teaser"), "text"]]),
                TestEntries.entry("hero", ["from": "items", "image": TestEntries.link("logo", "Asset")]),
            ],
            entries: [
                TestEntries.entry("hero", ["from": "includes"]), TestEntries.entry("teaser", ["title": "Tea"]),
            ],
            assets: [["sys": ["id": "logo", "type": "Asset"], "fields": ["file": "logo.png"]]])
        let (entries, unreplaced) = reply.linkedEntries()
        #expect(unreplaced.isEmpty && entries.count == 2)
        let hero = entries[0]["hero"]?.object?["fields"]?.object
        #expect(hero?["from"] == "items")
        #expect(hero?["image"]?.object?["fields"]?.object?["file"] == "logo.png")
        #expect(entries[0]["list"]?.array?.first?.object?["fields"]?.object?["title"] == "Tea")
        #expect(entries[0]["list"]?.array?.last == "text")
        #expect(reply.linkedEntry("teaser")?["title"] == "Tea" && reply.linkedEntry("none") == nil)
    }

    @Test func `an unknown link stays a link`() throws {
        let link = TestEntries.link("gone")
        let (entries, unreplaced) = try reply([TestEntries.entry("page", ["next": link])]).linkedEntries()
        #expect(entries[0]["next"] == link)
        #expect(unreplaced == [UnreplacedLink(EntryLink(id: "gone"), .unknown)])
        // An asset is not an entry of the same id.
        let asset: JSONValue = ["sys": ["id": "gone", "type": "Asset"], "fields": [:]]
        #expect(
            try reply([TestEntries.entry("page", ["next": link])], assets: [asset]).linkedEntries().entries[0]["next"]
                == link)
    }

    @Test func `ten links in a row are replaced, the eleventh is not`() throws {
        let chain = (0...12).map { TestEntries.entry("e\($0)", ["next": TestEntries.link("e\($0 + 1)")]) }
        // In both orders, because what was made for one entry is used for others.
        for items in [chain, chain.reversed()] {
            let (entries, _) = try reply(items).linkedEntries()
            let first = try #require(entries.first { $0.id == "e0" })
            #expect(id(follow(first, 10)) == "e10")
            #expect(follow(first, 11) == TestEntries.link("e11"))
            #expect(EntryLink(follow(first, 11)) == EntryLink(id: "e11"))
        }
    }

    @Test func `cycles end`() throws {
        let reply = try reply([
            TestEntries.entry("a", ["next": TestEntries.link("b")]),
            TestEntries.entry("b", ["next": TestEntries.link("a")]),
            TestEntries.entry("self", ["next": TestEntries.link("self")]),
        ])
        let (entries, unreplaced) = reply.linkedEntries()
        #expect(id(follow(entries[0], 9)) == "b" && EntryLink(follow(entries[0], 11)) == EntryLink(id: "b"))
        #expect(id(follow(entries[2], 10)) == "self" && EntryLink(follow(entries[2], 11)) == EntryLink(id: "self"))
        #expect(unreplaced.allSatisfy { $0.reason == .tooDeep } && !unreplaced.isEmpty)
        #expect(unreplaced[0].description.contains("more than 10 links away, or links to itself"))
    }

    @Test func `many ways through the links do not make a result that nobody can walk through`() throws {
        // Each of 30 entries links to all of them: 30^10 ways.
        let links = (0..<30).map { TestEntries.link("e\($0)") }
        let reply = try reply((0..<30).map { TestEntries.entry("e\($0)", ["list": .array(links)]) })
        let (entries, unreplaced) = reply.linkedEntries()
        #expect(unreplaced.contains { $0.reason == .tooLarge })
        for entry in entries.prefix(2) { #expect(count(entry.json) <= LinkReplacer.maximumValues) }
    }

    private func count(_ value: JSONValue) -> Int {
        switch value {
        case .array(let elements): 1 + elements.reduce(0) { $0 + count($1) }
        // An object that is a link counts as one.
        case .object(let members): EntryLink(value) == nil ? 1 + members.values.reduce(0) { $0 + count($1) } : 1
        default: 1
        }
    }

    private func height(_ value: JSONValue) -> Int {
        switch value {
        case .array(let elements): 1 + (elements.map(height).max() ?? 0)
        case .object(let members): 1 + (members.values.map(height).max() ?? 0)
        default: 0
        }
    }

    @Test func `what is nested deeply stays within the height`() throws {
        func nest(_ value: JSONValue, _ levels: Int) -> JSONValue { (0..<levels).reduce(value) { inner, _ in [inner] } }
        let chain = (0..<10).map { index in
            TestEntries.entry("e\(index)", ["deep": nest(TestEntries.link("e\(index + 1)"), 50)])
        }
        let (entries, unreplaced) = try reply(chain).linkedEntries()
        #expect(unreplaced.contains { $0.reason == .tooLarge })
        for entry in entries { #expect(height(entry.json) <= LinkReplacer.maximumHeight + 4) }
        // An entry made by hand may be deeper than any reply.
        let deep = ContentEntry(id: "x", contentType: "t", fields: ["deep": nest(TestEntries.link("e0"), 2_000)])
        #expect(try reply(chain).linked(deep) == deep)
    }

    @Test func `experiences and variants of a reply are linked so that the entry resolves`() throws {
        var experience = try #require(
            TestEntries.experience("exp-1", variants: ["b"], entries: [TestEntries.link("b")]).object)
        experience["sys"] = TestEntries.hero["nt_experiences"]?.array?.first?.object?["sys"]
        let reply = try reply(
            [TestEntries.entry("hero", ["nt_experiences": [TestEntries.link("xp-entry-1")]])],
            entries: [.object(experience), TestEntries.entry("b", ["title": "B"])])
        let before = EntryResolver.resolve(reply.items[0], selections: [.init("exp-1", 1)])
        #expect(!before.isVariant && before.selection == nil)
        let after = EntryResolver.resolve(reply.linkedEntries().entries[0], selections: [.init("exp-1", 1)])
        #expect(after.entry["title"] == "B")
    }
}
