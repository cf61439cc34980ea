import PushDispatch
import Testing

@testable import Optimization

/// The steps and the cases of docs/reference/personalization.md 13.2.
struct EntryResolverTests {
    private let hero = TestEntries.hero

    private func resolve(_ entry: ContentEntry, _ selections: [ExperienceSelection]?) -> EntryResolution {
        EntryResolver.resolve(entry, selections: selections)
    }

    @Test func `the selected variant is shown, and the selection returned`() {
        let selection = ExperienceSelection(experienceID: "exp-1", variantIndex: 1, variants: ["hero": "hero-b"])
        let resolution = resolve(hero, [selection])
        #expect(resolution.entry.id == "hero-b" && resolution.entry["title"] == "Welcome back")
        #expect(resolution.selection == selection && resolution.isVariant && !resolution.isEmptyVariant)
        #expect(resolution.reason.description == "experience exp-1 is selected with variant 1, the entry hero-b")
    }

    @Test func `1: without selections it is the baseline`() {
        for selections in [nil, []] as [[ExperienceSelection]?] {
            let resolution = resolve(hero, selections)
            #expect(resolution.entry == hero && resolution.selection == nil && !resolution.isVariant)
        }
        #expect(resolve(hero, nil).reason == .notSelectedYet && resolve(hero, []).reason == .nothingSelected)
    }

    @Test func `2: without a list of experiences it is the baseline`() {
        let plain = ContentEntry(id: "hero", contentType: "hero", fields: ["title": "Hello"])
        #expect(resolve(plain, [.init("exp-1", 1)]).reason == .noExperiences)
        var localized = hero
        localized.members["fields"] = ["nt_experiences": ["en-US": hero["nt_experiences"] ?? .null]]
        let resolution = resolve(localized, [.init("exp-1", 1)])
        #expect(resolution.entry == localized && resolution.selection == nil)
        #expect(
            resolution.reason.description
                == "nt_experiences is an object instead of an array; ask the delivery service for one locale")
        for members in [[:], ["fields": 1], ["sys": []]] as [[String: JSONValue]] {
            #expect(resolve(ContentEntry(members), [.init("exp-1", 1)]).entry == ContentEntry(members))
        }
    }

    @Test func `3: what is not a complete experience is left out`() {
        let good = TestEntries.experience("exp-1", variants: ["b"])
        let noSys: JSONValue = ["fields": good.object?["fields"] ?? .null]
        let other = TestEntries.entry("x", type: "teaser", good.object?["fields"]?.object ?? [:])
        let asset: JSONValue = ["sys": ["id": "a", "type": "Asset"], "fields": good.object?["fields"] ?? .null]
        let noID = TestEntries.entry("x", type: "nt_experience", ["nt_name": "without an id"])
        let bad = [TestEntries.link("xp"), noSys, other, asset, noID, 7, .null, [], "text"]
        for element in bad {
            let resolution = resolve(TestEntries.baseline([element]), [.init("exp-1", 1)])
            #expect(resolution.selection == nil && !resolution.isVariant, "\(element)")
            // It does not hide the ones after it.
            #expect(resolve(TestEntries.baseline([element, good]), [.init("exp-1", 1)]).entry.id == "b")
        }
        let counted = resolve(TestEntries.baseline([TestEntries.link("xp"), good]), [.init("exp-2", 1)])
        #expect(
            counted.reason.description == """
                the entry's experience is not selected; 1 of 2 are left out: the first is an unresolved link; ask the \
                delivery service with include=10 and replace the links
                """)
    }

    @Test func `4: the entry's order decides, not that of the selections`() {
        let entry = TestEntries.baseline([
            TestEntries.experience("exp-1", variants: ["a"]), TestEntries.experience("exp-2", variants: ["b"]),
        ])
        for selections in [
            [ExperienceSelection("exp-1", 1), .init("exp-2", 1)], [.init("exp-2", 1), .init("exp-1", 1)],
        ] {
            let resolution = resolve(entry, selections)
            #expect(resolution.entry.id == "a" && resolution.selection?.experienceID == "exp-1")
        }
        #expect(resolve(entry, [.init("exp-2", 1)]).entry.id == "b")
        #expect(resolve(entry, [.init("exp-3", 1)]).selection == nil)
        // Of two selections for one experience the first counts.
        #expect(resolve(entry, [.init("exp-1", 0), .init("exp-1", 1)]).selection?.variantIndex == 0)
    }

    @Test func `6: index 0 is the baseline, without falling through to the next experience`() {
        let entry = TestEntries.baseline([
            TestEntries.experience("exp-1", variants: ["a"]), TestEntries.experience("exp-2", variants: ["b"]),
        ])
        let resolution = resolve(entry, [.init("exp-1", 0), .init("exp-2", 1)])
        #expect(resolution.entry == entry && resolution.selection == .init("exp-1", 0))
        #expect(resolution.reason == .baselineSelected(experience: "exp-1"))
    }

    @Test func `7: a component counts if it replaces this visible baseline`() {
        let kinds: [(component: [String: JSONValue], counts: Bool)] = [
            (["type": "EntryReplacement"], true), ([:], true), (["type": .null], true),
            (["type": "InlineVariable"], false), (["type": 1], false),
            (["baseline": ["id": "hero", "hidden": true]], false),
            (["baseline": ["id": "hero", "hidden": false]], true),
            (["baseline": ["id": "other"]], false), (["baseline": "hero"], false),
        ]
        for (component, counts) in kinds {
            let experience = TestEntries.experience("exp-1", variants: ["b"], component: component)
            let entry = TestEntries.baseline([experience])
            let resolution = resolve(entry, [.init("exp-1", 1)])
            #expect(resolution.isVariant == counts, "\(component)")
            #expect(resolution.selection == .init("exp-1", 1))
        }
        let other = TestEntries.baseline([TestEntries.experience("exp-1", baseline: "footer", variants: ["b"])])
        #expect(
            resolve(other, [.init("exp-1", 1)]).reason.description
                == "experience exp-1 is selected, but replaces no visible baseline hero")
    }

    @Test func `8: an index beyond the variants is the baseline`() {
        let entry = TestEntries.baseline([TestEntries.experience("exp-1", variants: ["a", "b"])])
        for index in [3, 4, -1, .max, .min] {
            let resolution = resolve(entry, [.init("exp-1", index)])
            #expect(resolution.entry == entry && resolution.selection == .init("exp-1", index))
        }
        #expect(
            resolve(entry, [.init("exp-1", 3)]).reason.description
                == "experience exp-1 is selected, but its variant 3 of 2 does not exist")
    }

    @Test func `9: an empty variant id shows nothing`() {
        let entry = TestEntries.baseline([TestEntries.experience("exp-1", variants: ["a", ""])])
        let resolution = resolve(entry, [.init("exp-1", 2)])
        #expect(resolution.isEmptyVariant && resolution.isVariant && resolution.entry == entry)
        #expect(resolution.selection == .init("exp-1", 2))
        #expect(resolution.reason.description == "experience exp-1 is selected, and its variant 2 shows nothing")
    }

    @Test func `10: a variant that did not come along is the baseline`() {
        let unresolved = TestEntries.baseline([
            TestEntries.experience("exp-1", variants: ["b"], entries: [TestEntries.link("b")])
        ])
        let resolution = resolve(unresolved, [.init("exp-1", 1)])
        #expect(resolution.entry == unresolved && resolution.selection == .init("exp-1", 1))
        #expect(resolution.reason == .variantMissing(experience: "exp-1", id: "b", .unresolvedLink))
        let missing = TestEntries.baseline([TestEntries.experience("exp-1", variants: ["b"], entries: [])])
        #expect(
            resolve(missing, [.init("exp-1", 1)]).reason.description
                == "experience exp-1 is selected, but its variant b is not in nt_variants")
        // A complete entry counts, also behind a link of the same id.
        let both = TestEntries.baseline([
            TestEntries.experience("exp-1", variants: ["b"], entries: [TestEntries.link("b"), TestEntries.entry("b")])
        ])
        #expect(resolve(both, [.init("exp-1", 1)]).isVariant)
        let unnamed = TestEntries.experience(
            "exp-1", variants: [],
            extra: ["nt_config": ["components": [["baseline": ["id": "hero"], "variants": [["hidden": true], 7]]]]])
        for index in 1...2 {
            #expect(
                resolve(TestEntries.baseline([unnamed]), [.init("exp-1", index)]).reason
                    == .variantWithoutID(experience: "exp-1", index: index))
        }
    }

    @Test func `a million variants and a million selections end in time`() {
        let variants = (0..<20_000).map { "v\($0)" }
        let entry = TestEntries.baseline([TestEntries.experience("exp-19999", variants: variants)])
        let selections = (0..<20_000).map { ExperienceSelection("exp-\($0)", 20_000) }
        #expect(resolve(entry, selections).entry.id == "v19999")
        // Selections are searched once, not once for each experience.
        let links = [JSONValue](repeating: TestEntries.experience("exp-x", variants: []), count: 2_000)
        #expect(resolve(TestEntries.baseline(links), selections).selection == nil)
    }

    @Test func `a reason shortens ids from outside`() {
        let long = String(repeating: "x", count: 100_000)
        let entry = TestEntries.baseline([TestEntries.experience(long, variants: [])])
        #expect(resolve(entry, [.init(long, 5)]).reason.description.utf8.count < 200)
    }

    @Test func `the result as JSON has entry, selection and reason`() {
        let json = resolve(hero, [.init("exp-1", 1)]).json
        #expect(json.object?["entry"]?.object?["sys"]?.object?["id"] == "hero-b")
        #expect(json.object?["selection"]?.object?["experienceId"] == "exp-1")
        #expect(json.object?["empty-variant"] == false && json.object?["why"]?.string?.isEmpty == false)
        #expect(resolve(hero, nil).json.object?["selection"] == .null)
    }
}
