import PayloadJSON
import Testing

@testable import LoadGenerator

struct LoadSummaryTests {
    private func summary(_ record: LoadRecord, wantedRate: Double? = nil) -> LoadSummary {
        LoadSummary(
            gateway: "https://127.0.0.1:8443", connections: 4, tasks: nil, wantedRate: wantedRate, payloadBytes: 170,
            record: record, submitted: record.total, elapsed: .seconds(2), cpu: .milliseconds(10),
            peakMemoryBytes: 3 << 20,
            isInterrupted: false)
    }

    private func record(_ count: Int, warmUp: Int = 0) -> LoadRecord {
        var record = LoadRecord(warmUp: warmUp)
        for index in 0..<count { _ = record.count(.accepted, of: index, latency: .milliseconds(index + 1)) }
        return record
    }

    @Test func `rate and CPU are those of the measured part`() {
        let summary = summary(record(1100, warmUp: 100))
        #expect(summary.rate == 500)
        #expect(summary.cpuMicroseconds == 10)
    }

    @Test func `a run without results has rates of zero`() {
        let summary = summary(LoadRecord(warmUp: 0))
        #expect(summary.rate == 0)
        #expect(summary.cpuMicroseconds == 0)
        #expect(summary.text.contains("0 accepted"))
    }

    @Test func `the JSON form has every figure`() throws {
        var record = record(10)
        _ = record.count(.refused("BadDeviceToken"), of: 10, latency: .milliseconds(1))
        _ = record.count(.unknown("connection-lost"), of: 11, latency: .milliseconds(1))
        let document = try JSONDocument(Array(summary(record, wantedRate: 20_000).json.utf8))
        func integer(_ path: String...) -> Int64? {
            var index = JSONIndex.root
            for key in path {
                guard let next = document.member(named: key, of: index) else { return nil }
                index = next
            }
            return document.integer(of: index)
        }
        #expect(integer("notifications") == 12)
        #expect(integer("connections") == 4)
        #expect(integer("peak-memory-bytes") == 3 << 20)
        #expect(integer("outcomes", "accepted") == 10)
        #expect(integer("outcomes", "refused") == 1)
        #expect(integer("outcomes", "unknown") == 1)
        #expect(integer("reasons", "BadDeviceToken") == 1)
        #expect(integer("refused", "BadDeviceToken") == 1)
        #expect(integer("unknown", "connection-lost") == 1)
        #expect(integer("unsent", "connection-lost") == nil)
        #expect(integer("submitted") == 12)
        #expect(integer("without-result") == 0)
        #expect(integer("repeated") == 0)
        for name in ["mean", "p50", "p90", "p99", "p99.9", "max"] {
            let times = try #require(document.member(named: "latency-milliseconds", of: .root))
            #expect(document.member(named: name, of: times) != nil, "\(name) is missing")
        }
    }

    @Test func `the text form names the reasons, most frequent first`() throws {
        var record = record(1)
        for (index, reason) in ["Shutdown", "BadTopic", "BadTopic"].enumerated() {
            _ = record.count(.refused(reason), of: index + 1, latency: .milliseconds(1))
        }
        let text = summary(record).text
        let often = try #require(text.firstRange(of: "2  BadTopic"))
        let once = try #require(text.firstRange(of: "1  Shutdown"))
        #expect(often.lowerBound < once.lowerBound)
    }

    @Test func `a notification without a result and one with two are reported, even if the totals agree`() {
        var record = record(3)
        #expect(summary(record).miscount == nil)
        _ = record.count(.accepted, of: 1, latency: .zero)
        #expect(summary(record).miscount == "of 4 notifications, without a result: 1, with a second one: 1")
    }

    @Test func `the text form says where latency starts`() {
        #expect(summary(record(1)).text.contains("from submission"))
        #expect(summary(record(1), wantedRate: 5).text.contains("from due time"))
    }

    @Test func `the text form of a slow run has rates with a fraction`() {
        let lines = summary(record(1), wantedRate: 0.5).text.split(separator: "\n")
        #expect(lines[0].contains(", 0.50 a second, ") && lines[2] == "  rate           0.50 a second")
    }

    @Test func `the text form has settings, figures and interruption`() {
        var summary = summary(record(1100, warmUp: 100), wantedRate: 5)
        #expect(!summary.text.contains("interrupted"))
        summary.isInterrupted = true
        summary.tasks = 1
        let lines = summary.text.split(separator: "\n")
        #expect(
            lines[0] == "https://127.0.0.1:8443: send(_:) from 1 task, 5 a second, 4 connections, 170 bytes each")
        #expect(lines[1] == "  measured       1000 of 1100 notifications, 2.00 s")
        #expect(lines[2] == "  rate           500 a second")
        #expect(lines[3] == "  CPU            10.00 µs each")
        #expect(lines[4] == "  peak memory    3.0 MiB")
        #expect(lines.last == "  interrupted    before the end")
    }
}
