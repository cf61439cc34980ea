import APNSModel
import GatewayConfiguration
import Testing

@testable import GatewayCore

struct AnswersFileTests {
    private static func line(_ token: String, _ verdict: String, more: String = "") -> String {
        """
        {"token":"\(token)","apns-topic":"com.example.agent","apns-push-type":"alert","payload":{},"payload-bytes":2,\
        "received":"2026-11-21T07:00:00Z","environment":"sandbox","rule":"r","why":"w","verified":true,\(more)\(verdict)}
        """
    }

    private static let accepted = #""outcome":"accepted","status":200"#
    private static let unregistered =
        #""outcome":"refused","status":410,"reason":"Unregistered","timestamp":1700000000000"#

    @Test func `a record becomes the answers to its requests, in their order`() throws {
        let text = [
            Self.line("AB12", Self.accepted), "", Self.line("ab12", Self.unregistered),
            Self.line("cd34", Self.accepted),
        ].joined(separator: "\n")
        var answers = try AnswersFile.answers(in: Array(text.utf8), name: "record.ndjson")
        let key = RecordedAnswers.Key(token: "ab12", topic: "com.example.agent", pushType: "alert")
        #expect(answers.count == 3)
        #expect(answers.next(key) == .accepted)
        #expect(answers.next(key) == .refused(.unregistered, timestamp: 1_700_000_000_000))
        #expect(answers.next(RecordedAnswers.Key(token: "ab12", topic: nil, pushType: nil)) == nil)
    }

    @Test func `what has no answer, and what is not a notification, is left out`() throws {
        let text = [
            Self.line("ab12", #""outcome":"unprocessed""#),
            Self.line("ab12", Self.accepted, more: #""request":"broadcast","#),
        ].joined(separator: "\n")
        #expect(try AnswersFile.answers(in: Array(text.utf8), name: "record.ndjson").isEmpty)
    }

    @Test func `a file that is no record is refused with the line and what to do`() throws {
        let text = Self.line("ab12", Self.accepted) + "\n{}\n"
        let error = #expect(throws: GatewayError.self) {
            try AnswersFile.answers(in: Array(text.utf8), name: "record.ndjson")
        }
        #expect(error?.code == .badConfiguration)
        #expect(error?.detail.hasPrefix("record.ndjson:2: the line is not of a record") == true)
        #expect(error?.detail.hasSuffix("name a file that --record has written") == true)
    }
}
