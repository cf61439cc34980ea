import APNSPayload
import Foundation
import Testing

/// The examples of the module's page, as code that runs. What stands between `// example` and `// end` is on the page word
/// for word.
struct DocumentationTests {
    private static let here = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()

    @Test func `an alert is built, measured and checked`() {
        // example
        var push = AlertPush(
            Alert(title: "Parcel", body: .localized("ARRIVES_BETWEEN", ["10:00", "12:00"])),
            sound: .standard, custom: ["parcel": ["id": 77, "weight": 1.5]])
        push.interruptionLevel = .timeSensitive

        let body = push.encoded()  // compact, and the same bytes each time
        let room = push.remainingBytes  // of 4096
        let faults = push.findings()  // none
        // end
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"aps":{"alert":{"title":"Parcel","loc-key":"ARRIVES_BETWEEN","loc-args":["10:00","12:00"]},"#
                + #""sound":"default","interruption-level":"time-sensitive"},"parcel":{"id":77,"weight":1.5}}"#)
        #expect(room == 4096 - body.count)
        #expect(faults.isEmpty)
    }

    @Test func `a silent push is built`() throws {
        // example
        let refresh = BackgroundPush(custom: ["scope": ["inbox", "calendar"]])
        let hints = try HintPayload.interactions(["0xIxx0000000001EAA", "0xIxx0000000002EAA"])
        // end
        #expect(
            String(decoding: refresh.encoded(), as: UTF8.self)
                == #"{"aps":{"content-available":1},"scope":["inbox","calendar"]}"#)
        #expect(hints.count == 1)
    }

    @Test func `a Live Activity is changed`() throws {
        // example
        struct Score: Codable {
            var home: Int
            var away: Int
        }
        let json = try JSONEncoder().encode(Score(home: 1, away: 0))
        guard case .object(let state) = try PayloadValue(json: json) else { return }

        let goal = LiveActivityUpdate(
            at: 1_767_226_800, contentState: state, alert: LiveActivityAlert(title: "Goal!", body: "1 : 0"),
            staleDate: 1_767_230_400)
        let roomOnChannel = goal.remainingBroadcastBytes  // of 5120
        // end
        #expect(
            String(decoding: goal.encoded(), as: UTF8.self)
                == #"{"aps":{"alert":{"title":"Goal!","body":"1 : 0"},"stale-date":1767230400,"#
                + #""content-state":{"away":0,"home":1},"timestamp":1767226800,"event":"update"}}"#)
        #expect(roomOnChannel == 5120 - goal.encoded().count)
    }

    @Test func `what others have written is checked`() {
        var printed = ""
        func print(_ text: String) { printed += text }
        // example
        var reader = EnvelopeReader()
        var validator = Validator()
        var reporter = TextReporter()
        let file = SourceText(name: "push.json", bytes: Array(#"{"aps":{"content-available":"1"}}"#.utf8))
        for sourced in reader.readAll(file) {
            print(reporter.report(validator.findings(for: sourced.envelope), in: sourced))
        }
        print(reporter.closing)
        // end
        #expect(printed.contains("push.json:1:"))
        #expect(printed.contains("content-available"))
    }

    @Test func `the page shows these examples and no others`() throws {
        let root = DocumentationTests.here.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Sources/APNSPayload/APNSPayload.docc/APNSPayload.md"),
            encoding: .utf8)
        let source = try String(contentsOf: DocumentationTests.here, encoding: .utf8)
        let examples = blocks(of: source, from: "// example", to: "// end")
        #expect(examples.count == 4)
        #expect(blocks(of: page, from: "```swift", to: "```") == examples)
    }

    /// The lines between two marks, each block without the indentation of its opening mark.
    private func blocks(of text: String, from opening: String, to closing: String) -> [[String]] {
        var blocks: [[String]] = []
        var indentation: Int?
        for line in text.components(separatedBy: "\n") {
            let words = line.trimmingCharacters(in: .whitespaces)
            if words == opening, indentation == nil {
                indentation = line.prefix { $0 == " " }.count
                blocks.append([])
            } else if words == closing {
                indentation = nil
            } else if let indentation {
                blocks[blocks.count - 1].append(String(line.dropFirst(indentation)))
            }
        }
        return blocks
    }
}
