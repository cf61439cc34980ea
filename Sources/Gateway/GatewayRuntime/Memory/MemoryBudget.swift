package import GatewayCore
import Synchronization

/// The limit of memory for everything that a gateway keeps: journals, deliveries, devices, channels, worlds, what waits for
/// subscribers, and large requests and answers of the control API.
///
/// What is kept is counted when it comes and goes. A change that leaves more than the limit makes room before it returns:
/// the oldest journal entries and deliveries of all worlds go first, then what waits for devices. Other buffers of
/// connections have limits of their own and are not counted.
package final class MemoryBudget: Sendable {
    /// In bytes.
    package let limit: Int
    /// What worlds hold.
    private let held = Atomic(0)
    /// What waits for subscribers.
    package let queued: QueuedMemory
    /// Bodies of requests and answers of the control API.
    private let bodies = Atomic(0)
    private let worlds = Mutex<(@Sendable () -> [LiveWorld])?>(nil)
    private let given = Mutex(GivenUp())
    /// One thread at a time makes room, also for what others add meanwhile.
    private let makingRoom = Mutex(())

    /// - Parameters:
    ///   - limit: In bytes.
    ///   - granularity: A world gives up what is older than the oldest of all others, and what is so many milliseconds
    ///     newer, in one go.
    package init(limit: Int, granularity: Int64 = 1000) {
        self.granularity = granularity
        self.limit = max(1, limit)
        queued = QueuedMemory(limit: max(1, limit) / 4)
    }

    /// In bytes.
    package var used: Int { heldByWorlds + queued.bytes + bodyBytes }

    /// What all worlds hold, in bytes.
    var heldByWorlds: Int { held.load(ordering: .relaxed) }

    /// What the bodies of requests and answers of the control API use, in bytes.
    package var bodyBytes: Int { bodies.load(ordering: .relaxed) }

    /// What was given up since the start.
    package var givenUp: GivenUp { given.withLock { $0 } }

    /// Nothing more is taken that cannot be given up later.
    package var isFull: Bool { used > limit }

    /// - Parameter all: All worlds, in any order.
    func setWorlds(_ all: @escaping @Sendable () -> [LiveWorld]) { worlds.withLock { $0 = all } }

    func add(_ bytes: Int) { held.add(bytes, ordering: .relaxed) }

    /// Counts a body of which `counted` bytes count already. All bodies together have a quarter of the limit.
    ///
    /// - Returns: Whether there is memory for it.
    func takeBody(of bytes: Int, counted: Int) -> Bool {
        var total = bodyBytes
        while true {
            let others = total - counted
            guard BodyMemory.fits(bytes, beside: others, limit: limit / 4) else { return false }
            let (isDone, now) = bodies.compareExchange(
                expected: total, desired: others + bytes, ordering: .relaxed)
            if isDone { return true }
            total = now
        }
    }

    func giveBackBody(of bytes: Int) { bodies.subtract(bytes, ordering: .relaxed) }

    /// Room is made for a little more than is needed, so that not every change has to make room.
    private var target: Int { limit - min(limit / 16, 8 << 20) }

    /// The largest number of things that one world gives up under its lock at once.
    static let step = 512
    private let granularity: Int64

    func makeRoomIfNeeded() {
        guard used > limit || queued.isOverTwiceTheLimit, let all = worlds.withLock({ $0 }) else { return }
        // Not `withLock`: what follows from making room may be another change on the same thread.
        _ = makingRoom.withLockIfAvailable { _ in
            if queued.isOverTwiceTheLimit { for world in all() { world.forgetEvents() } }
            guard used > limit else { return }
            var sum = giveUpOldest(of: all())
            if used > limit { sum += giveUpWaiting(of: all()) }
            given.withLock { $0 += sum }
        }
    }

    private struct Aged: Comparable {
        let oldest: Int64
        let world: LiveWorld

        static func < (left: Aged, right: Aged) -> Bool { left.oldest < right.oldest }
        static func == (left: Aged, right: Aged) -> Bool { left.oldest == right.oldest }
    }

    private func giveUpOldest(of worlds: [LiveWorld]) -> GivenUp {
        var sum = GivenUp()
        var heap = Heap(worlds.compactMap { world in world.oldestKept.map { Aged(oldest: $0, world: world) } })
        while used > target, let next = heap.removeFirst() {
            let end = heap.first.map { $0.oldest + granularity } ?? .max
            let given = next.world.giveUp(bytes: used - target, keptUntil: end, limit: MemoryBudget.step)
            sum += given
            if given.bytes > 0, let oldest = next.world.oldestKept {
                heap.insert(Aged(oldest: oldest, world: next.world))
            }
        }
        return sum
    }

    private func giveUpWaiting(of worlds: [LiveWorld]) -> GivenUp {
        var sum = GivenUp()
        for world in worlds {
            while used > target {
                let given = world.giveUpWaiting(bytes: used - target, limit: MemoryBudget.step)
                guard given.bytes > 0 else { break }
                sum += given
            }
        }
        return sum
    }
}

/// The memory of what waits for subscribers.
package final class QueuedMemory: Sendable {
    private let count = Atomic(0)
    /// In bytes. Beyond it subscribers that are behind are disconnected; nothing more waits for them beyond twice as much.
    let limit: Int

    init(limit: Int) { self.limit = limit }

    package var bytes: Int { count.load(ordering: .relaxed) }

    /// How many items may wait for a subscriber now, the newest included.
    var allowance: Int {
        isOverTwiceTheLimit ? 1 : bytes > limit ? QueuedMemory.reducedCapacity : .max
    }

    var isOverTwiceTheLimit: Bool { bytes > 2 * limit }

    /// How many items may wait for a subscriber beyond the limit.
    static let reducedCapacity = 16

    fileprivate func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
}

/// The memory of one item that waits for subscribers, which share it. It counts until nobody holds the item any more.
package final class QueuedItem: Sendable {
    private let memory: QueuedMemory
    private let bytes: Int

    init(_ bytes: Int, in memory: QueuedMemory) {
        self.bytes = bytes
        self.memory = memory
        memory.add(bytes)
    }

    deinit { memory.add(-bytes) }
}
