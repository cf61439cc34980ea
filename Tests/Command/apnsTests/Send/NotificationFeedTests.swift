import APNSModel
import APNSPayload
import Foundation
import Synchronization
import Testing

@testable import apns

struct NotificationFeedTests {
    /// A feed of the lines of a file, and the file.
    private static func feed(
        _ text: String, _ settings: NotificationFeed.Settings = NotificationFeed.Settings(),
        report: @escaping @Sendable (NotificationFeed.Report) -> Void
    ) throws -> (NotificationFeed, URL) {
        let topic = try #require(Topic("com.example.a"))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("apns-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        let reader = NotificationReader(
            MessageTemplate(topic: topic, pushType: .alert, payloads: [[1]]), deviceTokens: [],
            tokenFile: LineReader(try InputFile(path: file.path)))
        return (NotificationFeed(reader, settings, report: report), file)
    }

    private static func lines(_ numbers: Range<Int>) -> String {
        numbers.map { String($0 + 1000) + "\n" }.joined()
    }

    @Test func `after a stop every line of a file is in exactly one count, and nothing is reported`() async throws {
        let (feed, file) = try Self.feed(Self.lines(0..<2000) + "bad\nworse\n\n# a comment\n") { _ in
            Issue.record("something was reported")
        }
        defer { try? FileManager.default.removeItem(at: file) }
        var passed = 0
        while passed < 600 { passed += try await feed.nextBatch().count }
        feed.stop()
        #expect(try await feed.nextBatch().isEmpty)
        // The provider took 600, so the rest of the last batch is left too. Two of the lines that are left are bad.
        #expect(await feed.rest(after: 600, isStopped: { false }, visit: nil) == .all(count: 1402))
    }

    @Test func `what is left is visited with its line, and bad lines are reported`() async throws {
        let bad = Mutex(0)
        let (feed, file) = try Self.feed(Self.lines(0..<700) + "bad\n" + Self.lines(700..<800)) { _ in
            bad.withLock { $0 += 1 }
        }
        defer { try? FileManager.default.removeItem(at: file) }
        let first = try await feed.nextBatch().count
        feed.stop()
        let visited = Mutex<[Int?]>([])
        let rest = await feed.rest(after: 10, isStopped: { false }) { message in
            guard case .notification(_, let line) = message else { return }
            visited.withLock { $0.append(line) }
        }
        #expect(first > 10 && rest == .all(count: 790))
        #expect(visited.withLock { $0.compactMap(\.self) } == Array(11...700) + Array(702...801))
        #expect(bad.withLock { $0 } == 1)
        #expect(feed.takeTags([5]).first??.line == 6)
    }

    @Test func `a run that ends at once has the extent of its input, as far as it can be counted`() async throws {
        let (feed, file) = try Self.feed(Self.lines(0..<2000) + "bad\n") { _ in
            Issue.record("something was reported")
        }
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await feed.nextBatch().count == 512)
        feed.stop()
        let late = feed.extent(after: nil, until: .now())
        #expect(late.count >= 512 && late.count < 2001 && !late.isWhole)
        #expect(feed.extent(after: 100, until: .distantFuture) == NotificationFeed.Extent(count: 2001, isWhole: true))
        // What was counted is not counted again.
        #expect(feed.extent(after: 100, until: .distantFuture).count == 2001)
    }

    @Test func `tags and position say where notifications come from`() async throws {
        let (feed, file) = try Self.feed("bad\n" + Self.lines(0..<3)) { _ in }
        defer { try? FileManager.default.removeItem(at: file) }
        let batch = try await feed.nextBatch()
        #expect(batch.count == 3)
        #expect(feed.takeTags([2, 0, 0]).map { $0?.line } == [4, 2, nil])
        #expect(feed.inputPosition == InputPosition(items: 4, part: 1))
        #expect(try await feed.nextBatch().isEmpty)
    }

    @Test func `with a rate notifications are passed on one by one, and little is read ahead`() async throws {
        let (feed, file) = try Self.feed(
            Self.lines(0..<2000), NotificationFeed.Settings(rate: 1000)
        ) { _ in }
        defer { try? FileManager.default.removeItem(at: file) }
        for _ in 0..<3 { #expect(try await feed.nextBatch().count == 1) }
        #expect(feed.inputPosition.items == 100)
        feed.stop()
        #expect(try await feed.nextBatch().isEmpty)
        #expect(await feed.rest(after: 3, isStopped: { false }, visit: nil) == .all(count: 1997))
    }
}
