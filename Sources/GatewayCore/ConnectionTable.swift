/// Which connections are there, and which of them has to go when there are too many.
///
/// A peer that only connects must not keep others out: one that has not finished its handshake makes room first, then one
/// that has never sent a request. Only when all connections are at work, a new one is turned away.
package struct ConnectionTable: Sendable {
    package typealias ID = UInt64

    package enum OnArrival: Equatable {
        case welcome
        /// It is welcome, and this one has to go.
        case inPlaceOf(ID)
        case refused
    }

    private enum Stage {
        case handshake
        case unused
        case used
    }

    /// How many there may be.
    package let maximum: Int
    private var stages: [ID: Stage] = [:]
    private var handshakes = Waiting()
    private var unused = Waiting()
    private var next: ID = 1

    package init(maximum: Int = 10_000) { self.maximum = maximum }

    package var count: Int { stages.count }

    /// A connection comes in; it is in its handshake now, also where it is refused.
    package mutating func arrived() -> (id: ID, OnArrival) {
        let id = next
        next += 1
        let answer = makeRoom()
        stages[id] = .handshake
        handshakes.append(id)
        return (id, answer)
    }

    private mutating func makeRoom() -> OnArrival {
        guard stages.count >= maximum else { return .welcome }
        guard let oldest = handshakes.takeOldest() ?? unused.takeOldest() else { return .refused }
        stages[oldest] = nil
        return .inPlaceOf(oldest)
    }

    /// Its handshake is done.
    package mutating func opened(_ id: ID) {
        guard stages[id] == .handshake else { return }
        stages[id] = .unused
        handshakes.remove(id)
        unused.append(id)
    }

    /// Its first request has come.
    package mutating func used(_ id: ID) {
        guard stages[id] == .unused else { return }
        stages[id] = .used
        unused.remove(id)
    }

    package mutating func ended(_ id: ID) {
        switch stages.removeValue(forKey: id) {
        case .handshake: handshakes.remove(id)
        case .unused: unused.remove(id)
        case .used, nil: break
        }
    }

    /// Ids in the order in which they came, without a search for one that leaves from the middle.
    private struct Waiting {
        private var order: [ID] = []
        private var first = 0
        private var present: Set<ID> = []

        mutating func append(_ id: ID) {
            order.append(id)
            present.insert(id)
            // Those that have left stay in `order` until they are more than those that wait.
            guard order.count > 2 * present.count + 64 else { return }
            order = order[first...].filter(present.contains)
            first = 0
        }

        mutating func remove(_ id: ID) { present.remove(id) }

        mutating func takeOldest() -> ID? {
            while first < order.count {
                let id = order[first]
                first += 1
                if present.remove(id) != nil { return id }
            }
            return nil
        }
    }
}
