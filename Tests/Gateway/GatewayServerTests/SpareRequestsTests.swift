import APNSModel
import GatewayCore
import Testing

@testable import DevelopmentCredentials
@testable import GatewayConfiguration
@testable import GatewayControl
@testable import GatewayJSON
@testable import GatewayListener
@testable import GatewayRuntime
@testable import GatewayServer
@testable import SystemFiles

struct SpareRequestsTests {
    private let spares = SpareRequests()

    private func requests(_ count: Int) -> [CompleteRequest] {
        (0..<count).map { CompleteRequest(stream: Int32($0), head: RequestHead(path: "/"), body: [1]) }
    }

    @Test func `what was judged becomes the next request`() throws {
        var judged = requests(1)
        let first = ObjectIdentifier(judged[0])
        spares.give(&judged)
        #expect(judged.isEmpty)
        let spare = try #require(spares.take())
        #expect(ObjectIdentifier(spare) == first)
        spare.begin(stream: 7, head: RequestHead(path: "/3/device/ab12"), began: .zero, isMisdirected: true)
        #expect(spare.stream == 7 && spare.head.path == "/3/device/ab12" && spare.isMisdirected)
        #expect(spare.body.isEmpty && spare.omittedBytes == 0)
        #expect(spares.take() == nil)
    }

    @Test func `one that somebody still holds is left to them`() throws {
        var judged = requests(2)
        let held = judged[1]
        spares.give(&judged)
        #expect(spares.take() == nil)
        #expect(spares.take() != nil)
        #expect(held.stream == 1 && held.body == [1])
    }

    @Test(arguments: [255, 256, 257, 1000])
    func `no more are kept than a piece of input brings`(count: Int) {
        var judged = requests(count)
        spares.give(&judged)
        var more = requests(10)
        spares.give(&more)
        var kept = 0
        while spares.take() != nil { kept += 1 }
        #expect(kept == min(count + 10, 256))
        #expect(judged.isEmpty && more.isEmpty)
    }
}
