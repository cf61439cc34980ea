import PushDispatch
import TestSeeds
import Testing

@testable import Optimization

/// Random entries, usual and broken ones, with random selections.
private struct RandomEntries {
    var random: TestGenerator

    private mutating func pick(_ ids: [String]) -> String { ids[Int.random(in: 0..<ids.count, using: &random)] }

    private mutating func experienceID() -> String { pick(["exp-1", "exp-2", "exp-3"]) }

    private mutating func variantID() -> String { pick(["a", "b", "hero", ""]) }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    /// A value of any kind, at times in place of the right one.
    private mutating func junk(_ right: JSONValue, oneIn rarity: Int = 40) -> JSONValue {
        guard chance(rarity) else { return right }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(.random(in: .min ... .max, using: &random))
        case 3: return .number(0.5)
        case 4: return .string(variantID())
        case 5: return .array([right, right])
        case 6: return ["sys": ["type": "Link", "linkType": "Entry", "id": .string(variantID())]]
        default: return .object([variantID(): right])
        }
    }

    private mutating func entry(_ type: String, _ fields: [String: JSONValue]) -> JSONValue {
        let contentType: JSONValue = ["sys": ["id": junk(.string(type), oneIn: 60)]]
        return junk([
            "sys": junk(["id": .string(variantID()), "type": junk("Entry"), "contentType": contentType], oneIn: 60),
            "fields": junk(.object(fields), oneIn: 60),
        ])
    }

    private mutating func list(_ maximum: Int, _ make: (inout RandomEntries) -> JSONValue) -> JSONValue {
        let count = Int.random(in: 0...maximum, using: &random)
        return junk(.array((0..<count).map { _ in make(&self) }), oneIn: 60)
    }

    private mutating func experience() -> JSONValue {
        let components = list(2) { random in
            random.junk([
                "type": random.junk("EntryReplacement"),
                "baseline": random.junk(["id": random.junk("hero"), "hidden": random.junk(false, oneIn: 6)]),
                "variants": random.list(3) { random in random.junk(["id": random.junk(.string(random.variantID()))]) },
            ])
        }
        let variants = list(3) { random in random.entry("hero", ["title": "x"]) }
        return entry(
            "nt_experience",
            [
                "nt_experience_id": junk(.string(experienceID())), "nt_config": junk(["components": components]),
                "nt_variants": variants,
            ])
    }

    mutating func entry() -> ContentEntry {
        let experiences = list(3) { random in random.experience() }
        let sys: JSONValue = ["id": "hero", "type": "Entry"]
        return ContentEntry(["sys": junk(sys, oneIn: 60), "fields": junk(["nt_experiences": experiences], oneIn: 60)])
    }

    mutating func selections() -> [ExperienceSelection]? {
        if chance(20) { return nil }
        return (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let index =
                chance(10) ? Int.random(in: .min ... .max, using: &random) : Int.random(in: 0...3, using: &random)
            return ExperienceSelection(experienceID: experienceID(), variantIndex: index)
        }
    }
}

struct RandomResolutionTests {
    /// In 10 seeds 10,000 entries; `APNS_SEED=1 APNS_SEEDS=1000` makes a million.
    @Test(arguments: TestSeed.all(1...10))
    func `random entries resolve to the same result twice, which fits the rules`(seed: TestSeed) {
        var entries = RandomEntries(random: seed.generator)
        var variants = 0
        for _ in 0..<1_000 {
            let (entry, selections) = (entries.entry(), entries.selections())
            let resolution = EntryResolver.resolve(entry, selections: selections)
            #expect(resolution == EntryResolver.resolve(entry, selections: selections))
            #expect(!resolution.reason.description.isEmpty)
            // The order of selections for different experiences does not matter.
            let ids = Set((selections ?? []).map(\.experienceID))
            if ids.count == selections?.count {
                #expect(resolution == EntryResolver.resolve(entry, selections: selections?.reversed()))
            }
            if let selection = resolution.selection {
                #expect(selections?.contains(selection) == true)
            } else {
                #expect(resolution.entry == entry && !resolution.isEmptyVariant)
            }
            if case .variant(_, let index, let id) = resolution.reason {
                variants += 1
                #expect(resolution.entry.id == id && resolution.entry.problem == nil && index > 0)
                #expect(resolution.selection?.variantIndex == index)
            } else {
                #expect(resolution.entry == entry)
            }
            // Reading the whole entry does not fail either.
            _ = ExperienceEntry.all(of: entry)
        }
        #expect(variants > 0, "the entries are too broken to test anything")
    }
}
