import APNSTransport
import NIOCore
import Synchronization

/// One of a provider's event loops, as the provider and its other loops see it.
///
/// A class, because each send looks at it, and a value would retain and release all its references then.
final class ProviderLane: Sendable {
    /// Its position among the provider's loops.
    let index: Int
    let eventLoop: any EventLoop
    let executor: EventLoopExecutor
    let load: LoopLoad
    let loop: NIOLoopBoundBox<ProviderLoop>
    /// Set when the provider is closed. From then on the event loop may be shut down, and is not used.
    private let closed = Atomic(false)

    init(_ loop: sending ProviderLoop, on eventLoop: any EventLoop) {
        index = loop.index
        self.eventLoop = eventLoop
        executor = EventLoopExecutor(eventLoop)
        load = loop.load
        self.loop = .makeBoxSendingValue(loop, eventLoop: eventLoop)
    }

    var isClosed: Bool { closed.load(ordering: .acquiring) }

    func close() { closed.store(true, ordering: .releasing) }

    /// Runs `body` in a later turn of the event loop. Once the provider is closed, it calls `otherwise` now instead.
    func execute(_ body: @escaping @Sendable (ProviderLoop) -> Void, otherwise: () -> Void = {}) {
        guard !isClosed else { return otherwise() }
        eventLoop.execute { body(self.loop.value) }
    }

    /// Runs `body` on the event loop: now where this is its thread, or else in a later turn.
    func run(_ body: @escaping @Sendable (ProviderLoop) -> Void) {
        if eventLoop.inEventLoop { body(loop.value) } else { execute(body) }
    }

    /// The event loops of a provider, each of which knows the others.
    static func lanes(on eventLoops: [any EventLoop], shared: ProviderLoop.Shared) -> [ProviderLane] {
        let lanes = eventLoops.enumerated().map { index, eventLoop in
            ProviderLane(ProviderLoop(eventLoop: eventLoop, index: index, shared: shared), on: eventLoop)
        }
        guard lanes.count > 1 else { return lanes }
        for lane in lanes {
            lane.execute { loop in loop.others = lanes.filter { $0.index != loop.index } }
        }
        return lanes
    }

    /// The share of the loop at `index` when `total` is divided among `count` loops: all shares differ by at most one.
    static func share(of total: Int, index: Int, count: Int) -> Int {
        total / count + (index < total % count ? 1 : 0)
    }

    /// Up to `count` different event loops of a group: the one that is next, and those after it.
    static func eventLoops(of group: any EventLoopGroup, atMost count: Int) -> [any EventLoop] {
        let first = group.next()
        let all = group.makeIterator().map { $0 as any EventLoop }
        guard count > 1, let start = all.firstIndex(where: { $0 === first }) else { return [first] }
        return (0..<min(count, all.count)).map { all[(start + $0) % all.count] }
    }
}
