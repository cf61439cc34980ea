/// The open connections, and which of them is closed when there are too many.
///
/// A client that only connects must not keep others out or make memory grow. So there is a limit for connections in the
/// handshake and for connections without a request; beyond it the oldest one is closed. At the limit of all connections the
/// oldest one that has sent nothing, is in the handshake or has no request is closed for a new one. A new connection is
/// refused only when all others have sent requests.
package struct ConnectionTable: Sendable {
    package typealias ID = UInt64

    package struct Limits: Hashable, Sendable {
        /// In all.
        package var connections = 10_000
        /// In the handshake.
        package var handshakes = 4000
        /// Open, without a request so far.
        package var unused = 2000

        package init() {}
    }

    package enum OnArrival: Equatable {
        case accepted
        /// It is accepted, and this one has to be closed.
        case replaces(ID)
        case refused
    }

    private enum Stage {
        case silent
        case handshake
        case unused
        case used
    }

    package let limits: Limits
    private var stages: [ID: Stage] = [:]
    private var silent = Waiting()
    private var handshakes = Waiting()
    private var unused = Waiting()
    private var next: ID = 1

    package init(limits: Limits) { self.limits = limits }

    package var count: Int { stages.count }

    /// A connection comes in. It counts until it has ended, even if it is refused.
    package mutating func arrived() -> (id: ID, OnArrival) {
        let id = next
        next += 1
        let answer = makeRoom()
        stages[id] = .silent
        silent.append(id)
        return (id, answer)
    }

    private mutating func makeRoom() -> OnArrival {
        guard stages.count >= limits.connections else { return .accepted }
        guard let oldest = silent.takeOldest() ?? handshakes.takeOldest() ?? unused.takeOldest() else {
            return .refused
        }
        stages[oldest] = nil
        return .replaces(oldest)
    }

    /// Its first bytes came.
    ///
    /// - Returns: The connection that has to be closed for it.
    package mutating func began(_ id: ID) -> ID? {
        guard stages[id] == .silent else { return nil }
        stages[id] = .handshake
        silent.remove(id)
        return handshakes.append(id, limit: limits.handshakes, &stages)
    }

    /// Its handshake is done.
    ///
    /// - Returns: The connection that has to be closed for it.
    package mutating func opened(_ id: ID) -> ID? {
        guard stages[id] == .handshake else { return nil }
        stages[id] = .unused
        handshakes.remove(id)
        return unused.append(id, limit: limits.unused, &stages)
    }

    /// Its first request has come.
    package mutating func used(_ id: ID) {
        guard stages[id] == .unused else { return }
        stages[id] = .used
        unused.remove(id)
    }

    package mutating func ended(_ id: ID) {
        switch stages.removeValue(forKey: id) {
        case .silent: silent.remove(id)
        case .handshake: handshakes.remove(id)
        case .unused: unused.remove(id)
        case .used, nil: break
        }
    }

    /// Ids in the order in which they came. Removing one from the middle needs no search.
    private struct Waiting {
        private var order: [ID] = []
        private var first = 0
        private var present: Set<ID> = []

        mutating func append(_ id: ID) {
            order.append(id)
            present.insert(id)
            // Removed ids stay in `order` until they outnumber the others.
            guard order.count > 2 * present.count + 64 else { return }
            order = order[first...].filter(present.contains)
            first = 0
        }

        /// - Returns: The oldest, when there are now more than `limit`.
        mutating func append(_ id: ID, limit: Int, _ stages: inout [ID: Stage]) -> ID? {
            append(id)
            guard present.count > limit, let oldest = takeOldest() else { return nil }
            stages[oldest] = nil
            return oldest
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
