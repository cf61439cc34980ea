import Synchronization

/// The clients that follow the events, each with what waits for it.
package struct ServiceSubscribers: Sendable {
    package static let maximum = 100
    /// Server-sent events that wait for one client, in bytes; one that falls further behind is disconnected.
    package static let maximumWaitingBytes = 8_388_608

    /// One client. What waits for it is counted, because a stream does not say how much it holds.
    final class Subscriber: Sendable {
        private let continuation: AsyncStream<[UInt8]>.Continuation
        private let waiting = Atomic<Int>(0)

        init(_ continuation: AsyncStream<[UInt8]>.Continuation) { self.continuation = continuation }

        /// A client that is too far behind is disconnected; it connects again and reads the state.
        func send(_ bytes: [UInt8]) {
            let sum = waiting.wrappingAdd(bytes.count, ordering: .relaxed).newValue
            guard sum <= ServiceSubscribers.maximumWaitingBytes else { return continuation.finish() }
            continuation.yield(bytes)
        }

        func written(_ count: Int) { waiting.wrappingSubtract(count, ordering: .relaxed) }

        func end() { continuation.finish() }
    }

    private var all: [Int: Subscriber] = [:]
    private var lastID = 0

    var count: Int { all.count }

    /// - Returns: Nil if there are too many.
    mutating func add(_ subscriber: Subscriber) -> Int? {
        guard all.count < ServiceSubscribers.maximum else { return nil }
        lastID += 1
        all[lastID] = subscriber
        return lastID
    }

    mutating func remove(_ id: Int) { all[id] = nil }

    func send(_ bytes: [UInt8]) {
        for subscriber in all.values { subscriber.send(bytes) }
    }

    func end() {
        for subscriber in all.values { subscriber.end() }
    }
}
