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

struct RequestPoolTests {
    private let requestPool = RequestPool()

    private func requests(_ count: Int) -> [CompleteRequest] {
        (0..<count).map { CompleteRequest(stream: Int32($0), head: RequestHead(path: "/"), body: [1]) }
    }

    @Test func `what was judged becomes the next request`() throws {
        var judged = requests(1)
        let first = ObjectIdentifier(judged[0])
        requestPool.give(&judged)
        #expect(judged.isEmpty)
        let spare = try #require(requestPool.take())
        #expect(ObjectIdentifier(spare) == first)
        spare.begin(stream: 7, head: RequestHead(path: "/3/device/ab12"), began: .zero, isMisdirected: true)
        #expect(spare.stream == 7 && spare.head.path == "/3/device/ab12" && spare.isMisdirected)
        #expect(spare.body.isEmpty && spare.omittedBytes == 0)
        #expect(requestPool.take() == nil)
    }

    @Test func `one that somebody still holds is left to them`() throws {
        var judged = requests(2)
        let held = judged[1]
        requestPool.give(&judged)
        #expect(requestPool.take() == nil)
        #expect(requestPool.take() != nil)
        #expect(held.stream == 1 && held.body == [1])
    }

    @Test(arguments: [255, 256, 257, 1000])
    func `no more are kept than a piece of input brings`(count: Int) {
        var judged = requests(count)
        requestPool.give(&judged)
        var more = requests(10)
        requestPool.give(&more)
        var kept = 0
        while requestPool.take() != nil { kept += 1 }
        #expect(kept == min(count + 10, 256))
        #expect(judged.isEmpty && more.isEmpty)
    }
}
