import PushDispatch
import Testing

@testable import Optimization

struct ExperienceEntryTests {
    @Test func `an experience is read with all its parts`() throws {
        let audience = TestEntries.entry(
            "audience-entry", type: "nt_audience",
            ["nt_audience_id": "aud-1", "nt_name": "Returning", "nt_description": "twice"])
        var fields = try #require(
            TestEntries.experience("exp-1", variants: ["b", ""]).object?["fields"]?.object)
        fields["nt_audience"] = audience
        fields["nt_description"] = "about it"
        fields["nt_config"] = [
            "traffic": 0.5, "distribution": [0.5, 0.25, 0.25], "sticky": true,
            "components": [
                ["baseline": ["id": "hero"], "variants": [["id": "b", "hidden": true], ["id": ""], 7]],
                [
                    "type": "InlineVariable", "key": "color", "valueType": "String", "baseline": ["value": "red"],
                    "variants": [["value": "blue"]],
                ],
                ["type": "Future"],
            ],
        ]
        let experience = try ExperienceEntry.read(TestEntries.entry("x", type: "nt_experience", fields))
        #expect(experience.experienceID == "exp-1" && experience.entryID == "x" && experience.kind == .personalization)
        #expect(experience.details == "about it" && experience.audience?.audienceID == "aud-1")
        #expect(experience.audience?.name == "Returning" && experience.variants.map(\.id) == ["b"])
        let configuration = experience.configuration
        #expect(
            configuration.traffic == 0.5 && configuration.distribution == [0.5, 0.25, 0.25] && configuration.isSticky)
        guard case .entryReplacement(let replacement) = configuration.components.first else {
            Issue.record("the first component is not a replacement")
            return
        }
        #expect(replacement.baseline.id == "hero" && replacement.variants.count == 3 && replacement.variants[2] == nil)
        #expect(replacement.variants[0]?.isHidden == true && replacement.variants[1]?.id == "")
        guard case .inlineVariable(let variable) = configuration.components[1] else {
            Issue.record("the second component is not a variable")
            return
        }
        #expect(variable.key == "color" && variable.baseline == "red" && variable.variants == ["blue"])
        #expect(configuration.components[2] == .unknown(kind: "Future"))
        #expect(experience.issues.isEmpty)
    }

    @Test func `missing parts have their defaults, wrong ones are named`() throws {
        let bare = try ExperienceEntry.read(
            TestEntries.entry("x", type: "nt_experience", ["nt_experience_id": "exp-1"]))
        #expect(bare.configuration == ExperienceConfiguration() && bare.kind == nil && bare.issues.isEmpty)
        let wrong = try ExperienceEntry.read(
            TestEntries.entry(
                "x", type: "nt_experience",
                [
                    "nt_experience_id": "exp-1", "nt_type": "nt_other", "nt_name": 7,
                    "nt_config": ["traffic": "all", "distribution": [0.5, "x"], "components": [1]],
                    "nt_audience": TestEntries.link("aud"), "nt_variants": [TestEntries.link("b"), 1],
                ]))
        #expect(wrong.configuration.distribution == [0.5, 0])
        #expect(
            wrong.issues.map(\.path) == [
                "fields.nt_type", "fields.nt_name", "fields.nt_config.distribution[1]", "fields.nt_config.traffic",
                "fields.nt_config.components[0]", "fields.nt_audience", "fields.nt_variants[0]",
                "fields.nt_variants[1]",
            ])
    }

    @Test func `the experiences of an entry come in its order`() {
        let entry = TestEntries.baseline([
            TestEntries.link("x"), TestEntries.experience("exp-2", variants: []),
            TestEntries.experience("exp-1", variants: []),
        ])
        let (experiences, issues) = ExperienceEntry.all(of: entry)
        #expect(experiences.map(\.experienceID) == ["exp-2", "exp-1"])
        #expect(issues.map(\.path) == ["fields.nt_experiences[0]"])
    }

    @Test func `audiences and merge tags need their ids`() throws {
        #expect(throws: EntryProblem.noFields) {
            try AudienceEntry.read(TestEntries.entry("a", type: "nt_audience"))
        }
        #expect(throws: EntryProblem.otherContentType) {
            try AudienceEntry.read(TestEntries.entry("a", type: "hero", ["nt_audience_id": "x"]))
        }
        #expect(throws: EntryProblem.noFields) { try MergeTagEntry.read(TestEntries.entry("a", type: "nt_mergetag")) }
        #expect(throws: EntryProblem.notAnObject) { try MergeTagEntry.read(7) }
    }
}
