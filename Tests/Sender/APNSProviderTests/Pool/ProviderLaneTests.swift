import NIOCore
import NIOPosix
import Testing

@testable import APNSProvider

struct ProviderLaneTests {
    @Test(arguments: 0...20, 1...5)
    func `shares differ by one at most and are the whole together`(total: Int, count: Int) {
        let shares = (0..<count).map { ProviderLane.share(of: total, index: $0, count: count) }
        #expect(shares.reduce(0, +) == total)
        #expect(shares.max()! - shares.min()! <= 1)
    }

    @Test func `the event loops are different, and no more than the group has`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
        func loops(_ count: Int) -> Set<ObjectIdentifier> {
            Set(ProviderLane.eventLoops(of: group, atMost: count).map { ObjectIdentifier($0) })
        }
        #expect((1...5).map { loops($0).count } == [1, 2, 3, 3, 3])
        // Two providers of one loop each use two loops.
        #expect(loops(1) != loops(1))
        try await group.shutdownGracefully()
    }
}
