import PushDispatch
import Testing

@testable import Optimization

struct PreviewPanelTests {
    private func audience(_ id: String, _ name: String) -> JSONValue {
        TestEntries.entry(
            "entry-\(id)", type: "nt_audience", ["nt_audience_id": .string(id), "nt_name": .string(name)])
    }

    private func experience(_ id: String, _ name: String, _ audience: JSONValue? = nil) -> JSONValue {
        TestEntries.experience(
            id, variants: ["b"],
            extra: [
                "nt_name": .string(name), "nt_audience": audience ?? .null,
                "nt_config": [
                    "distribution": [0.333, 0.667],
                    "components": [["baseline": ["id": "hero"], "variants": [["id": "b"], ["id": "c"]]]],
                ],
            ])
    }

    private var definitions: PreviewDefinitions {
        let entries = [
            audience("z", "Alpha"), audience("y", "beta"), audience("x", "Gamma"),
            experience("exp-1", "For all"), experience("exp-2", "Second", audience("x", "Gamma")),
            experience("exp-3", "First", audience("x", "Gamma")), experience("exp-4", "Other", audience("w", "Delta")),
            TestEntries.entry("page"),
        ]
        return PreviewDefinitions(entries: entries.compactMap(\.object).map { ContentEntry($0) })
    }

    private func panel(_ overrides: PreviewOverrides = .init()) -> PreviewPanel {
        PreviewPanel(definitions, selections: [.init("exp-2", 1)], qualified: ["x"], overrides: overrides)
    }

    @Test func `all visitors come first, then active audiences, then by name`() {
        #expect(panel().audiences.map(\.name) == ["All Visitors", "Gamma", "Alpha", "beta", "Delta"])
        #expect(panel().audiences[1].experiences.map(\.name) == ["First", "Second"])
        var overrides = PreviewOverrides()
        overrides.overrideAudience("x", isQualified: false, experienceIDs: ["exp-2"], wasQualified: true)
        overrides.overrideAudience("y", isQualified: true, experienceIDs: [], wasQualified: false)
        let audiences = panel(overrides).audiences
        #expect(audiences.map(\.name) == ["All Visitors", "beta", "Alpha", "Delta", "Gamma"])
        #expect(audiences.map(\.state) == [.default, .on, .default, .default, .off])
        #expect(audiences.last?.isQualified == true && audiences.last?.isActive == false)
    }

    @Test func `a name is one line of characters that can be seen, whatever it has`() throws {
        let names = [
            "Go\u{0}ld\u{1b}[31m\nmembers\u{2028}x", "\u{202e}ynnaf\u{202c} \u{2066}a\u{2069}\u{feff}",
            String(repeating: "n", count: 1_000_000), "a" + String(repeating: "\u{301}", count: 1_000_000),
            "\u{1F469}\u{200D}\u{1F680} <b>", "",
        ]
        let entries = names.enumerated().map { audience("a\($0.offset)", $0.element) }
        let definitions = PreviewDefinitions(entries: entries.compactMap(\.object).map { ContentEntry($0) })
        let panel = PreviewPanel(definitions, selections: nil, qualified: [], overrides: .init())
        let shown = Dictionary(uniqueKeysWithValues: panel.audiences.map { ($0.id, $0.name) })
        #expect(shown["a0"] == "Go\u{fffd}ld\u{fffd}[31m\u{fffd}members\u{fffd}x")
        #expect(shown["a1"] == "\u{fffd}ynnaf\u{fffd} \u{fffd}a\u{fffd}\u{fffd}")
        #expect(shown["a2"]?.unicodeScalars.count == 201 && shown["a2"]?.last == "…")
        #expect(shown["a3"]?.unicodeScalars.count == 201)
        #expect(shown["a4"] == names[4] && shown["a5"] == "a5")
        for text in names + ["[", "\\", "*", "%", "\u{0}"] { _ = panel.search(text) }
        #expect(panel.search("\u{1F680}").map(\.id) == ["a4"])
    }

    @Test func `an experience shows its shares and which variant is shown`() throws {
        var overrides = PreviewOverrides()
        overrides.overrideVariant("exp-1", index: 2)
        let audiences = panel(overrides).audiences
        let first = try #require(audiences.first?.experiences.first)
        #expect(first.variants.map(\.percent) == [33, 67, nil])
        #expect(first.shownIndex == 2 && first.selectedIndex == nil && first.isOverridden)
        let second = try #require(audiences[1].experiences.last)
        #expect(second.shownIndex == 1 && second.selectedIndex == 1 && !second.isOverridden)
    }

    @Test func `search finds audiences and experiences by name and id`() {
        #expect(panel().search("  ").count == 5)
        #expect(panel().search("GAM").map(\.experiences.count) == [2])
        #expect(panel().search("second").map { [$0.name] + $0.experiences.map(\.name) } == [["Gamma", "Second"]])
        #expect(panel().search("exp-").count == 3 && panel().search("nothing").isEmpty)
    }

    @Test func `hostile shares and a million variants are shown within bounds`() throws {
        let extra: [String: JSONValue] = [
            "nt_config": [
                "distribution": [.number(1e300), -5, .number(.nan)],
                "components": [
                    ["baseline": ["id": "x"], "variants": .array([JSONValue](repeating: 1, count: 5_000))]
                ],
            ]
        ]
        let entry = try ExperienceEntry.read(TestEntries.experience("exp-1", variants: [], extra: extra))
        let panel = PreviewPanel(
            PreviewDefinitions(experiences: [entry, entry]), selections: nil, qualified: [], overrides: .init())
        #expect(panel.audiences.first?.experiences.count == 1)
        let variants = try #require(panel.audiences.first?.experiences.first?.variants)
        #expect(variants.count == 1_000 && variants.prefix(4).map(\.percent) == [100, 0, 0, nil])
    }

    @Test func `the state as JSON has overrides and what is real`() {
        var overrides = PreviewOverrides()
        overrides.overrideAudience("x", isQualified: false, experienceIDs: ["exp-2"], wasQualified: true)
        let state = PreviewState(
            overrides, definitions: definitions, selections: [.init("exp-2", 1)], qualified: ["x"])
        #expect(state.json.object?["audienceOverrides"] == ["x": false])
        #expect(state.json.object?["variantOverrides"] == ["exp-2": 0])
        #expect(state.json.object?["realQualifications"] == ["x": true])
        #expect(state.json.object?["realIndices"] == ["exp-2": 1])
        #expect(state.json.object?["audiences"]?.array?.count == 5)
    }
}
