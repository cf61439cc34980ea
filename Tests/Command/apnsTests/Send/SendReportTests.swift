import APNSModel
import APNSProvider
import Foundation
import PayloadJSON
import Testing

@testable import apns

struct SendReportTests {
    private static func notification() throws -> APNSNotification {
        APNSNotification(
            to: try #require(DeviceToken("aabb")), topic: try #require(Topic("com.example.a")), pushType: .alert,
            payload: [])
    }

    @Test func `a bad line has an object with its line`() throws {
        var buffer = TextBuffer()
        BadLine(input: "x.ndjson", number: 3, column: 7, problem: "not JSON: \"").writeJSON(to: &buffer)
        let text = buffer.text
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["outcome"] as? String == "unsent")
        #expect(object["error"] as? String == "bad-line")
        #expect(object["detail"] as? String == "column 7: not JSON: \"")
        #expect(object["line"] as? Int == 3)
        // The same keys as any unsent notification has.
        let other = try #require(
            try JSONSerialization.jsonObject(
                with: Data(
                    ResultLine(
                        unsent: try SendReportTests.notification(),
                        APNSSendError(.cancelled, "x", isSafeToRetry: true), line: 1
                    ).json.utf8)) as? [String: Any])
        #expect(Set(object.keys) == Set(other.keys))
        #expect(BadLine(input: "x.ndjson", number: 3, column: 7, problem: "no").message == "x.ndjson:3:7: no")
        #expect(BadLine(input: "x.ndjson", number: 3, problem: "no").message == "x.ndjson:3: no")
    }

    @Test func `each line is in exactly one count`() throws {
        var report = SendReport(.json, gateway: APNSGateway(host: "g"), timeout: .seconds(30))
        let notification = try SendReportTests.notification()
        for _ in 0..<5 {
            let accepted = APNSOutcome.accepted(apnsID: NotificationID(known: "A"), uniqueID: nil)
            let endsHere = report.take(ResultLine(notification, accepted, line: 1), at: .zero)
            #expect(!endsHere)
        }
        report.take(.bad(BadLine(input: "x", number: 6, problem: "no")))
        report.take(.heldBack(notification, line: 7, report: "x\n"))
        report.take(.doubtful(notification, line: 8))
        report.take(.done(.accepted))
        report.end(with: .all(count: 11), isReported: false)
        let tally = report.tally
        #expect(tally.total + tally.badLines + tally.doneBefore + tally.notRead == 20)
        #expect(tally.accepted == 5 && tally.badLines == 1 && tally.unsent == 1 && tally.unknown == 1)
        let (notes, more) = (report.takeNotes(), report.takeNotes())
        #expect(notes.count == 3 && more.isEmpty)
    }

    @Test func `after an end at once each line is in exactly one count too`() throws {
        var report = SendReport(.json, gateway: APNSGateway(host: "g"), timeout: .seconds(30))
        let notification = try SendReportTests.notification()
        let stopped = APNSSendError(.cancelled, "stopped", isSafeToRetry: true)
        for line in 1...5 { _ = report.take(ResultLine(unsent: notification, stopped, line: line), at: .zero) }
        report.take(.bad(BadLine(input: "x", number: 6, problem: "no")))
        report.take(.done(.accepted))
        report.end(at: NotificationFeed.Extent(count: 20, isWhole: true), open: 3)
        let tally = report.tally
        #expect(tally.unsent == 5 && tally.notRead == 10 && !tally.isRestUnknown)
        report.end(at: NotificationFeed.Extent(count: 9, isWhole: false), open: 3)
        let part = report.tally
        #expect(part.notRead == 0 && part.isRestUnknown)
    }

    @Test(arguments: [
        (0, false, "Ended at once."), (1, false, "Ended at once: 1 more has no outcome and may have been delivered."),
        (2, false, "Ended at once: 2 more have no outcome and may have been delivered."),
        (
            2, true,
            "Ended at once: 2 more have no outcome and may have been delivered; "
                + "the next run with the journal lists them as unknown."
        ),
    ])
    func `an end at once says what has no outcome`(open: Int, hasJournal: Bool, text: String) {
        #expect(SendRun.endedAtOnce(open: open, hasJournal: hasJournal) == text)
    }

    @Test func `without a connection the run ends, and what the provider cancels has that cause`() throws {
        var report = SendReport(.text(.plain), gateway: APNSGateway(host: "g"), timeout: .seconds(30))
        let notification = try SendReportTests.notification()
        let failed = APNSSendError(.connectionFailed, "refused", isSafeToRetry: true)
        let cancelled = APNSSendError(.cancelled, "stopped", isSafeToRetry: true)
        let first = report.take(ResultLine(unsent: notification, failed), at: .zero)
        let second = report.take(ResultLine(unsent: notification, cancelled), at: .zero)
        let (tally, gaveUp, notes) = (report.tally, report.gaveUp, report.takeNotes())
        #expect(first && !second)
        #expect(gaveUp && tally.couldDoNothing && tally.unsent == 2)
        #expect(notes.count == 1)
    }

    @Test func `a broadcast that is cancelled when the run gives up has the missing connection as its cause`() throws {
        var report = SendReport(.json, gateway: APNSGateway(host: "g"), timeout: .seconds(30))
        let channelID = try #require(ChannelID("dHN0LXNyY2gtY2hubA=="))
        for code in [APNSSendError.Code.connectionFailed, .cancelled] {
            let error = APNSSendError(code, "no", isSafeToRetry: true)
            let line = BroadcastLine(channelID: channelID, requestID: "a", outcome: .unsent(error), duration: .zero)
            _ = report.take(line, at: .zero)
        }
        let (tally, lines) = (report.tally, report.lines.text)
        #expect(tally.unsent == 2 && tally.couldDoNothing && tally.exitStatus == .failed)
        #expect(!lines.contains("cancelled"))
    }

    /// Results of a gateway that answers at first, by the seconds since the start of the run.
    private struct Outage: ~Copyable {
        var report: SendReport
        let notification: APNSNotification

        init(timeout: Duration) throws {
            report = SendReport(.json, gateway: APNSGateway(host: "g"), timeout: timeout)
            notification = try SendReportTests.notification()
            answer(at: 1)
        }

        mutating func answer(at second: Int) {
            let refused = APNSOutcome.refused(Refusal(.badDeviceToken, apnsID: nil))
            let endsHere = report.take(ResultLine(notification, refused), at: .seconds(second))
            #expect(!endsHere)
        }

        /// - Returns: Whether the run ends.
        mutating func fail(after waiting: Int, at second: Int, _ code: APNSSendError.Code = .connectionFailed) -> Bool {
            var line = ResultLine(unsent: notification, APNSSendError(code, "refused", isSafeToRetry: true))
            line.nanoseconds = Int64(waiting) * 1_000_000_000
            return report.take(line, at: .seconds(second))
        }
    }

    @Test func `an outage of a gateway that has answered ends the run after a minute without any answer`() throws {
        var outage = try Outage(timeout: .seconds(5))
        // From second 100: what was sent before an idle time does not count.
        let early = [outage.fail(after: 5, at: 105), outage.fail(after: 5, at: 159)]
        #expect(early == [false, false])
        outage.answer(at: 161)
        let again = [170, 224, 225].map { outage.fail(after: 5, at: $0) }
        #expect(again == [false, false, true])
        let cancelled = outage.fail(after: 5, at: 225, .cancelled)
        #expect(!cancelled)
        let (gaveUp, notes) = (outage.report.gaveUp, outage.report.takeNotes())
        #expect(gaveUp && notes.count == 2, "\(notes)")
        #expect(notes.last?.contains("the gateway has been unreachable for 1 min 0 s") == true, "\(notes)")
        let lines = outage.report.lines.text.split(separator: "\n")
        #expect(lines.count == 8)
        let detail = #""error":"connection-failed","detail":"the gateway has been unreachable for"#
        #expect(lines.last?.contains(detail) == true)
    }

    @Test func `an outage may be as long as a longer timeout`() throws {
        var outage = try Outage(timeout: .seconds(90))
        let results = [80, 89, 90].map { outage.fail(after: $0, at: 100 + $0) }
        #expect(results == [false, false, true])
    }
}
