import Synchronization

/// The memory of the body of one request or answer of the control API, while it is read or written. It counts until
/// `release()`, or until nobody holds this object any more.
package final class BodyMemory: Sendable {
    /// Other bodies use the memory that there is for bodies.
    package struct Full: Error {}

    /// A request of at most so many bytes is always read.
    package static let smallRequest = 4 << 10
    /// An answer of at most so many bytes is always sent. The system's buffers take it, whether its client reads or not.
    package static let smallAnswer = 64 << 10

    private let budget: MemoryBudget?
    private let small: Int
    private let counted = Mutex(0)

    /// - Parameters:
    ///   - budget: Nil where memory is not limited.
    ///   - small: A body of at most so many bytes does not count.
    package init(in budget: MemoryBudget?, small: Int) {
        self.budget = budget
        self.small = small
    }

    deinit { release() }

    /// The body has so many bytes now. Room is made for it.
    ///
    /// - Throws: Where there is no memory for it; then it counts as before.
    package func grow(to bytes: Int) throws(Full) {
        guard let budget, bytes > small else { return }
        try counted.withLock { (counted) throws(Full) in
            guard bytes > counted else { return }
            guard budget.takeBody(of: bytes, counted: counted) else { throw Full() }
            counted = bytes
        }
        budget.makeRoomIfNeeded()
    }

    package func release() {
        counted.withLock { counted in
            budget?.giveBackBody(of: counted)
            counted = 0
        }
    }

    /// Whether a body of so many bytes is taken. One that is alone always is, so that each can be sent at some time.
    ///
    /// - Parameter others: What all other bodies have, in bytes.
    static func fits(_ bytes: Int, beside others: Int, limit: Int) -> Bool { others == 0 || others + bytes <= limit }
}
