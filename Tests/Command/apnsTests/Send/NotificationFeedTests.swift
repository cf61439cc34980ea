import APNSModel
import APNSPayload
import Foundation
import Testing

@testable import apns

struct NotificationFeedTests {
    @Test func `after a stop the rest of a file is counted and not reported`() async throws {
        let topic = try #require(Topic("com.example.a"))
        let text = (0..<2000).map { String($0 + 1000) + "\n" }.joined() + "bad\n"
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("apns-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let reader = NotificationReader(
            MessageTemplate(topic: topic, pushType: .alert, payloads: [[1]]), deviceTokens: [],
            tokenFile: LineReader(try InputFile(path: file.path)))
        let feed = NotificationFeed(reader) { _ in Issue.record("something was reported") }
        var iterator = feed.makeAsyncIterator()
        for _ in 0..<600 { #expect(try await iterator.next() != nil) }
        feed.stop()
        guard case .all(let count) = await feed.rest(after: 600, isStopped: { false }, visit: nil) else {
            return #expect(Bool(false), "the rest of a file is known")
        }
        #expect(count == 1400)
    }
}
