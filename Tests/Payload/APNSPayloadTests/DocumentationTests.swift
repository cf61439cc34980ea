import APNSPayload
import Foundation
import Testing

/// The examples of the module's page; `PageTests` compares them with the page.
struct DocumentationTests {
    @Test func `an alert is built, measured and checked`() {
        var push = AlertPush(
            Alert(title: "Parcel", body: .localized("ARRIVES_BETWEEN", ["10:00", "12:00"])),
            sound: .standard, custom: ["parcel": ["id": 77, "weight": 1.5]])
        push.interruptionLevel = .timeSensitive

        let body = push.encoded()  // compact, and the same bytes each time
        let remaining = push.remainingBytes  // of 4096
        let findings = push.findings()  // none

        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"aps":{"alert":{"title":"Parcel","loc-key":"ARRIVES_BETWEEN","loc-args":["10:00","12:00"]},"#
                + #""sound":"default","interruption-level":"time-sensitive"},"parcel":{"id":77,"weight":1.5}}"#)
        #expect(remaining == 4096 - body.count)
        #expect(findings.isEmpty)
    }

    @Test func `a personalized push is built`() throws {
        let push = try PersonalizedPush(
            AlertPush(Alert(title: "New kettle range", body: "See what fits you")),
            points: ["notification_landing_recs"], context: ["category": "Kettles"],
            link: "https://www.example.com/c/kitchen/kettles")

        #expect(push.findings().isEmpty)
    }

    @Test func `a silent push is built`() throws {
        let refresh = BackgroundPush(custom: ["scope": ["inbox", "calendar"]])
        let hints = try HintPayload.interactions(["0xIxx0000000001EAA", "0xIxx0000000002EAA"])

        #expect(
            String(decoding: refresh.encoded(), as: UTF8.self)
                == #"{"aps":{"content-available":1},"scope":["inbox","calendar"]}"#)
        #expect(hints.count == 1)
    }

    @Test func `a Live Activity is updated`() async throws {
        // The example returns early if the state is not an object; then the confirmation fails.
        try await confirmation { done in
            struct Score: Codable {
                var home: Int
                var away: Int
            }
            let json = try JSONEncoder().encode(Score(home: 1, away: 0))
            guard case .object(let state) = try PayloadValue(json: json) else { return }

            let goal = LiveActivityUpdate(
                at: 1_767_226_800, contentState: state, alert: LiveActivityAlert(title: "Goal!", body: "1 : 0"),
                staleDate: 1_767_230_400)
            let remainingOnChannel = goal.remainingBroadcastBytes  // of 5120

            #expect(
                String(decoding: goal.encoded(), as: UTF8.self)
                    == #"{"aps":{"alert":{"title":"Goal!","body":"1 : 0"},"stale-date":1767230400,"#
                    + #""content-state":{"away":0,"home":1},"timestamp":1767226800,"event":"update"}}"#)
            #expect(remainingOnChannel == 5120 - goal.encoded().count)
            done()
        }
    }

    @Test func `payloads from other sources are checked`() {
        var printed = ""
        func print(_ text: String) { printed += text }
        var reader = EnvelopeReader()
        var validator = Validator()
        var reporter = TextReporter()
        let file = SourceText(name: "push.json", bytes: Array(#"{"aps":{"content-available":"1"}}"#.utf8))
        for sourced in reader.readAll(file) {
            print(reporter.report(validator.findings(for: sourced.envelope), in: sourced))
        }
        print(reporter.closing)

        #expect(printed.contains("push.json:1:"))
        #expect(printed.contains("content-available"))
    }
}
