import EventDelivery
import Foundation

extension EventID {
    static func test(_ number: Int) -> EventID {
        let digits = String(number)
        return EventID("00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)!
    }

    /// What `test` was made with.
    var number: Int { Int(description.suffix(12)) ?? -1 }
}

extension CapturedEvent {
    static func test(
        _ number: Int, to destination: DestinationName = "a", purpose: ConsentPurpose? = nil,
        priority: EventPriority = .normal, holdsOrder: Bool = false, group: String? = nil, bodyBytes: Int = 0
    ) -> CapturedEvent {
        let filler = String(repeating: "x", count: bodyBytes)
        return CapturedEvent(
            EventStamp(id: .test(number), time: EventTime(milliseconds: Int64(number))), kind: "test", to: destination,
            purpose: purpose, group: group, priority: priority, holdsOrder: holdsOrder,
            body: Array(#"{"n":\#(number)\#(filler)}"#.utf8))
    }

    var number: Int { id.number }
}

/// A folder that is deleted with the value.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("events-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> String { url.appendingPathComponent(name).path }
}
