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
        private let cut = Mutex<Cut>(.possible(nil))

        private enum Cut {
            /// With what closes the connection, once that is known.
            case possible((@Sendable () -> Void)?)
            case done
        }

        init(_ continuation: AsyncStream<[UInt8]>.Continuation) { self.continuation = continuation }

        /// A client that is too far behind is disconnected; it connects again and reads the state.
        func send(_ bytes: [UInt8]) {
            let sum = waiting.wrappingAdd(bytes.count, ordering: .relaxed).newValue
            guard sum <= ServiceSubscribers.maximumWaitingBytes else { return disconnect() }
            continuation.yield(bytes)
        }

        /// The end of the stream alone would be noticed only after the write under way, which waits for the client.
        private func disconnect() {
            continuation.finish()
            let close: (@Sendable () -> Void)? = cut.withLock { cut in
                guard case .possible(let close) = cut else { return nil }
                cut = .done
                return close
            }
            close?()
        }

        /// - Parameter close: Closes the connection; called once the client is too far behind.
        func onDisconnect(_ close: @escaping @Sendable () -> Void) {
            let isLate: Bool = cut.withLock { cut in
                guard case .possible = cut else { return true }
                cut = .possible(close)
                return false
            }
            if isLate { close() }
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
