import Testing

@testable import APNSProvider

struct LoopLoadTests {
    @Test func `a spare stream is reserved once`() {
        let load = LoopLoad()
        #expect(load.takeSpareStreams(atMost: 5) == 0)
        load.setSpareStreams(10)
        #expect(load.takeSpareStreams(atMost: 4) == 4)
        #expect(load.takeSpareStreams(atMost: 20) == 6)
        #expect(load.takeSpareStreams(atMost: 1) == 0)
    }

    @Test func `one of those that ask learns of a surplus`() {
        let load = LoopLoad()
        #expect(!load.takeSurplus())
        load.setSurplus(3)
        #expect(load.takeSurplus())
        #expect(!load.takeSurplus())
        load.setSurplus(0)
        #expect(!load.takeSurplus())
    }
}
