import APNSModel
import ArgumentParser
import PushQueue
import SystemFiles
import Testing
import WorkerCore
import WorkerRuntime

@testable import apns

@Suite struct WorkerTextTests {
    private static let id = "8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162"
    private let job = KeptJob(
        id: "7-0",
        content: JobContent(
            lane: .high, tenant: "acme", attempt: 2, body: Array("{\"token\":\"ab12\"}\n{\"token\":\"cd34\"}".utf8),
            context: JobContext(ids: [WorkerTextTests.id, ""], history: [.init(at: 1_000, reason: "Shutdown")]).text),
        reason: "Shutdown", why: "APNs refused it with status 503", keptAt: 1_700_000_000_000, due: 1_700_000_030_000)

    @Test func `each envelope of a kept job is a line with the same id`() {
        let lines = KeptText.json(job)
        #expect(lines.count == 2 && !lines[1].contains("apns-id"))
        let parts = [
            #"{"id":"7-0","lane":"high","tenant":"acme","reason":"Shutdown","why":"APNs refused it with status 503","#,
            #""attempts":2,"due":"2023-11-14T22:13:50.000Z","since":"2023-11-14T22:13:20.000Z","#,
            #""apns-id":"\#(WorkerTextTests.id)","#,
            #""history":[{"at":"1970-01-01T00:00:01.000Z","reason":"Shutdown"}],"job":"{\"token\":\"ab12\"}"}"#,
        ]
        #expect(lines[0] == parts.joined())
    }

    @Test func `a list for people has no device token`() {
        let line = KeptText.line(job)
        #expect(line.hasPrefix("7-0  Shutdown, due "))
        #expect(line.contains("2 envelopes, lane high, tenant acme, 2 attempts"))
        #expect(!line.contains("ab12"))
    }

    @Test func `the help of sql names the rows that a second run changes`() {
        let help = WorkerSQLCommand.configuration.discussion
        #expect(help.contains("1 MiB go to the dead letter") && help.contains("infinite enqueued_at"))
    }

    @Test func `the status has the keys that scalers read`() {
        let status = QueueStatus(
            lanes: [.init(.high, backlog: 3, pending: 1, oldest: .milliseconds(2500))], later: 4, dead: 5, time: 0,
            engine: "Redis 7.0.15")
        #expect(
            StatusText.json(status).hasPrefix(
                #"{"backlog":3,"pending":1,"later":4,"dead":5,"oldest-seconds":2.5,"feedback":0,"engine":"Redis 7.0.15""#
            ))
        #expect(StatusText.lines(status).contains { $0.contains("high") && $0.contains("3") })
    }

    @Test func `a line of the log has the time in milliseconds`() throws {
        let start = WallClock.milliseconds
        let line = WorkerLog.line("info", "queue-found", "The queue answers again.") { _ in }
        let end = WallClock.milliseconds
        let parts = line.split(separator: "\"")
        let key = try #require(parts.firstIndex(of: "time"))
        let time = try #require(TimeText.milliseconds(ofTime: parts[key + 2]))
        #expect(start <= time && time <= end, "\(line)")
    }

    @Test func `a reload names the tenants that count after a restart only`() {
        let start = "The credentials were read again."
        #expect(WorkerLog.reloadMessage(added: [], removed: [], ReloadedTenants()) == start)
        #expect(
            WorkerLog.reloadMessage(added: ["acme", "beta"], removed: ["old"], ReloadedTenants()) == start
                + " Tenants that were added count after a restart: acme, beta."
                + " Tenants that were removed keep their old credentials until a restart: old.")
        let reloaded = ReloadedTenants(moved: ["acme"], limited: ["acme", "beta"])
        #expect(
            WorkerLog.reloadMessage(added: [], removed: [], reloaded) == start
                + " Tenants with another gateway or environment keep all they had until a restart: acme."
                + " Tenants with another rate keep the old one until a restart: acme, beta.")
    }

    @Test func `jobs that a worker leaves behind may be double, and the log says so`() {
        #expect(WorkerLog.leftMessage(1).hasPrefix("1 job could not be settled in time;"))
        #expect(WorkerLog.leftMessage(2).hasSuffix("Pushes of them that were sent already may be double."))
    }

    @Test func `the log says how much went to the dead letter`() {
        #expect(
            WorkerLog.deadMessage("bad-envelope", 1)
                == "1 entry went to the dead letter: bad-envelope. apns worker dead says why.")
        #expect(WorkerLog.deadMessage("BadTopic", 3000).hasPrefix("3000 entries went to the dead letter: BadTopic."))
    }

    @Test func `feedback for people shortens the device token, and not where the line is removed`() {
        let json =
            #"{"token":"0123456789abcdef","apns-topic":"com.example.app","environment":"sandbox","tenant":null,"#
            + #""reason":"Unregistered","timestamp":1454402113000,"apns-id":"x","suspect":false}"#
        let line = FeedbackText.line(json, isWhole: false)
        #expect(line.hasPrefix("0123…cdef  Unregistered since "))
        #expect(!line.contains("0123456789abcdef"))
        #expect(FeedbackText.line(json, isWhole: true).hasPrefix("0123456789abcdef  Unregistered since "))
    }
}
