import APNSModel
import APNSProvider
import Synchronization

enum TestNotifications {
    /// A notification to device `number`, with every header field.
    static func notification(_ number: Int, payload: String = #"{"aps":{"alert":"Hi"}}"#) -> APNSNotification {
        APNSNotification(
            to: DeviceToken("ab" + String(1_000_000 + number) + "0")!, topic: Topic("com.example.app")!,
            pushType: .alert, priority: .immediate, expiration: .once, collapseID: CollapseID("c"),
            payload: Array(payload.utf8))
    }

    /// A notification that the validator refuses, so that it has an outcome without a gateway.
    static func invalid(_ number: Int = 0) -> APNSNotification { notification(number, payload: "{") }
}

/// The results of a bulk send.
struct Tally: Equatable {
    var accepted = 0
    var refused = 0
    var unsent = 0
    var unknown = 0
    /// Notifications with more than one result.
    var repeated = 0
    var indices: Set<Int> = []

    mutating func count(_ result: APNSSendResult) {
        if !indices.insert(result.index).inserted { repeated += 1 }
        switch result.outcome {
        case .accepted: accepted += 1
        case .refused: refused += 1
        case .unsent: unsent += 1
        case .unknown: unknown += 1
        }
    }
}

/// A source that never waits and counts the notifications that were taken from it.
final class Numbers: AsyncSequence, Sendable {
    let count: Int
    let taken = Atomic(0)
    private let make: @Sendable (Int) -> APNSNotification
    private let released = AsyncStream.makeStream(of: Void.self)

    init(
        count: Int, make: @escaping @Sendable (Int) -> APNSNotification = { TestNotifications.notification($0) }
    ) {
        self.count = count
        self.make = make
    }

    func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    /// Returns when an iterator of this source was dropped.
    func wasReleased() async { for await _ in released.stream { return } }

    final class Iterator: AsyncIteratorProtocol {
        let source: Numbers
        var number = 0

        init(source: Numbers) { self.source = source }

        deinit { source.released.continuation.yield() }

        func next() async -> APNSNotification? {
            guard number < source.count else { return nil }
            defer { number += 1 }
            source.taken.add(1, ordering: .relaxed)
            return source.make(number % 2_000_000)
        }
    }
}
