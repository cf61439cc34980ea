import APNSModel
import APNSPayload
import APNSProvider
import PushQueue
import Testing

@testable import WorkerCore

@Suite struct JobReaderTests {
    private func read(_ line: String, validates: Bool = true) -> JobLine {
        var reader = JobReader(
            defaults: EnvelopeDefaults(topic: Bench.topic, pushType: .alert), validates: validates)
        let body = Array(line.utf8)
        return reader.read(body, 0..<body.count, number: 0, id: "8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162")
    }

    @Test func `lines end at LF or CR LF, and blank lines are none`() {
        let body = Array("a\r\n\n  \nbc \n\td".utf8)
        let lines = JobReader.lineRanges(body).map { String(decoding: body[$0], as: UTF8.self) }
        #expect(lines == ["a", "bc", "d"])
        #expect(JobReader.lineRanges([]).isEmpty)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `lines are counted as they are found`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let body = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                "a \t\r\n\n{".utf8.randomElement(using: &random)!
            }
            #expect(JobReader.lineCount(body) == JobReader.lineRanges(body).count, "\(body)")
        }
    }

    @Test func `an envelope keeps its id, and gets one where it has none`() throws {
        guard case .notification(let plain) = read(Bench.envelope("ab12")) else {
            Issue.record("bad")
            return
        }
        #expect(plain.notification?.id?.text == "8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162")
        #expect(plain.notification?.topic == Bench.topic)
        let own = #","apns-id":"11111111-2222-3333-4444-555555555555""#
        guard case .notification(let other) = read(Bench.envelope("ab12", own)) else {
            Issue.record("bad")
            return
        }
        #expect(other.notification?.id?.text == "11111111-2222-3333-4444-555555555555")
    }

    @Test func `a background push gets the priority that it needs`() {
        let line = #"{"token":"ab12","apns-push-type":"background","payload":{"aps":{"content-available":1}}}"#
        guard case .notification(let push) = read(line) else {
            Issue.record("bad")
            return
        }
        #expect(push.notification?.priority == .powerConsiderate)
    }

    @Test func `a device token that is a number is said to be one`() {
        guard case .bad(_, let why) = read(#"{"token":5,"payload":{"aps":{"alert":"x"}}}"#) else {
            Issue.record("bad")
            return
        }
        #expect(why == "token is a number; it must be a string")
    }

    @Test(arguments: [
        ("{", "not-an-envelope"), ("[]", "not-an-envelope"), (#"{"aps":{"alert":"x"}}"#, "not-an-envelope"),
        (#"{"payload":{"aps":{"alert":"x"}}}"#, "bad-envelope"),
        (#"{"token":"xyz","payload":{"aps":{"alert":"x"}}}"#, "bad-envelope"),
        (#"{"token":"ab12","payload":{"aps":{"alert":5}}}"#, "invalid-notification"),
        (#"{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","payload":{"aps":{"alert":"x"}}}"#, "broadcast"),
    ]) func `a line that cannot be sent says why`(_ line: String, _ reason: String) {
        guard case .bad(let found, let why) = read(line) else {
            Issue.record("bad")
            return
        }
        #expect(found == reason, "\(why)")
        // The commands put file and line of their own before it.
        #expect(!why.isEmpty && !why.contains("line 1"))
    }

    @Test func `without validation only the envelope has to be right`() {
        guard case .notification = read(#"{"token":"ab12","payload":{"aps":{"alert":5}}}"#, validates: false) else {
            Issue.record("bad")
            return
        }
    }

    @Test func `a job without lines, with too many, or of many bytes cannot be read`() {
        let id = JobID(stream: "s", entry: "1")
        let job = Job(id: id, content: JobContent(lane: .normal, body: []), enqueuedAt: 0)
        #expect(JobReader.problem(of: job, lines: 0)?.reason == "empty-job")
        #expect(JobReader.problem(of: job, lines: 100) == nil)
        #expect(JobReader.problem(of: job, lines: 101)?.reason == "too-many-envelopes")
        let large = Job(
            id: id, content: JobContent(lane: .normal, body: [UInt8](repeating: 10, count: 1_048_577)), enqueuedAt: 0)
        #expect(JobReader.problem(of: large, lines: 1)?.reason == "job-too-large")
        let flawed = Job(id: id, content: JobContent(lane: .normal, body: []), enqueuedAt: 0, flaw: "no b")
        #expect(JobReader.problem(of: flawed, lines: 1)?.why == "no b")
    }
}
