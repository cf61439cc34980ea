import EventDelivery
import PushDispatch
import Testing

@testable import Optimization

/// Replies and entries that nobody sends by accident.
@MainActor
struct HostileInputTests {
    private func entry(_ fields: String, id: String = "hero") throws -> ContentEntry {
        try ContentEntry(text: #"{"sys":{"id":"\#(id)","type":"Entry"},"fields":{\#(fields)}}"#)
    }

    @Test func `a reply of 10 MB leaves the person as they are, and their event counts as sent`() async throws {
        let app = try await TestApp.started()
        app.services.select([.init("exp-1", 1)])
        try await app.client.screen("Home")
        let before = app.client.state
        let padding = String(repeating: "x", count: 10_000_000)
        for body in [
            #"{"data":{"profile":{"id":"p2","traits":{"x":"\#(padding)"}},"experiences":[],"changes":[]}}"#, padding,
            String(repeating: "[", count: 1_000_000), #"{"data":{"profile":{"id":"p2"},"experiences":[{"#,
        ] {
            app.services.script(.status(200, body: body))
            try await app.client.screen("Next")
        }
        #expect(app.client.state == before && app.client.selectedPersonalizations == [.init("exp-1", 1)])
        #expect(await app.client.queuedEvents().profile == 0)
        let problems = app.reports.all.compactMap { report in
            if case .profileReply(200, let detail) = report { detail } else { nil }
        }
        #expect(problems.count == 4 && problems[0].contains("4194304"), "\(problems)")
        #expect(problems.allSatisfy { $0.count < 300 })
    }

    @Test func `a reply of entries of 10 MB is read, and one of more than 16 MB is refused`() async throws {
        let services = TestServices()
        let client = DeliveryClient(
            DeliveryConfiguration(space: "s", accessToken: "t"), transport: services, clock: TestClock())
        func body(_ bytes: Int) -> String {
            let entry = #"{"sys":{"id":"e","type":"Entry"},"fields":{"text":""#
            return #"{"total":1,"items":["# + entry + String(repeating: "x", count: bytes) + "\"}}]}"
        }
        services.script(.status(200, body: body(10_000_000)), .status(200, body: body(17_000_000)))
        #expect(try await client.entries(DeliveryQuery()).entries.first?["text"]?.string?.utf8.count == 10_000_000)
        await #expect(throws: DeliveryError.self) { try await client.entries(DeliveryQuery()) }
    }

    @Test func `a million variants resolve, and the panel lists a thousand`() throws {
        let ids = (1...1_000_000).map { #"{"id":"v\#($0)"}"# }.joined(separator: ",")
        let hero = try ContentEntry.large(
            #"""
            {"sys":{"id":"hero","type":"Entry"},"fields":{"nt_experiences":[{"sys":{"id":"x","type":"Entry",
            "contentType":{"sys":{"id":"nt_experience"}}},"fields":{"nt_name":"Many","nt_type":"nt_experiment",
            "nt_experience_id":"exp-1","nt_config":{"traffic":1,"components":[{"type":"EntryReplacement",
            "baseline":{"id":"hero"},"variants":[\#(ids)]}]},
            "nt_variants":[{"sys":{"id":"v1000000","type":"Entry"},"fields":{}}]}}]}}
            """#)
        let last = EntryResolver.resolve(hero, selections: [.init("exp-1", 1_000_000)])
        #expect(last.entry.id == "v1000000")
        let beyond = EntryResolver.resolve(hero, selections: [.init("exp-1", 1_000_001)])
        #expect(beyond.reason.description.hasSuffix("its variant 1000001 of 1000000 does not exist"))
        let experience = try #require(hero["nt_experiences"]?.array?.first?.object)
        let definitions = PreviewDefinitions(entries: [ContentEntry(experience)])
        let panel = PreviewPanel(definitions, selections: nil, qualified: [], overrides: .init())
        #expect(panel.audiences.first?.experiences.first?.variants.count == PreviewPanel.maximumVariants)
    }

    @Test func `a million selections are read, and those that cannot be used are named a hundred times`() throws {
        var issues: [ReadingIssue] = []
        let many = (0..<1_000_000).map { number -> JSONValue in
            number.isMultiple(of: 2) ? 7 : ["experienceId": .string("e\(number)"), "variantIndex": 1]
        }
        let selections = ExperienceSelection.list(.array(many), issues: &issues)
        #expect(selections.count == 500_000 && issues.count == 100)
    }

    @Test func `entries by locale, without fields, and experiences that link to themselves are baselines`() throws {
        let selections = [ExperienceSelection("exp-1", 1)]
        for fields in [
            #""nt_experiences":{"en-US":[]}"#, #""nt_experiences":[]"#, #""nt_experiences":[null,7,"x",[],{}]"#,
            #""nt_experiences":[{"sys":{"type":"Link","linkType":"Entry","id":"hero"}}]"#,
            #""nt_experiences":[{"sys":{"id":"x"},"fields":{"nt_experience_id":{"en-US":"exp-1"}}}]"#,
            #""nt_experiences":[{"sys":{"id":"x"},"fields":{"nt_experience_id":"exp-1","nt_config":[]}}]"#,
        ] {
            let resolution = EntryResolver.resolve(try entry(fields), selections: selections)
            #expect(!resolution.isVariant && !resolution.reason.description.isEmpty, "\(fields)")
        }
        // The experience's variant is the baseline itself, which has the experience again.
        let link = #"{"sys":{"type":"Link","linkType":"Entry","id":"hero"}}"#
        let reply = try DeliveryReply.read(
            Array(
                #"""
                {"items":[{"sys":{"id":"hero","type":"Entry"},"fields":{"nt_experiences":[{"sys":{"id":"x","type":"Entry"},
                "fields":{"nt_experience_id":"exp-1","nt_name":"n","nt_type":"nt_experiment","nt_config":{"components":[{
                "baseline":{"id":"hero"},"variants":[{"id":"hero"}]}]},"nt_variants":[\#(link)]}}]}}]}
                """#.utf8))
        let (entries, unreplaced) = reply.linkedEntries()
        #expect(EntryResolver.resolve(entries[0], selections: selections).entry.id == "hero")
        #expect(unreplaced.allSatisfy { $0.reason == .tooDeep })
    }
}

extension ContentEntry {
    fileprivate static func large(_ text: String) throws -> ContentEntry {
        let limits = JSONLimits(maximumBytes: 64 << 20, maximumDepth: 64, maximumValues: 4_000_000)
        return ContentEntry(try JSONReader.read(Array(text.utf8), limits: limits).object ?? [:])
    }
}
