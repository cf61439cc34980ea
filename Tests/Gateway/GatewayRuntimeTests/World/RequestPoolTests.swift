import APNSModel
import DevelopmentCredentials
import GatewayConfiguration
import GatewayCore
import GatewayJSON
import SystemFiles
import Testing

@testable import GatewayRuntime
@testable import GatewayServer

struct RequestPoolTests {
    private let pool = RequestPool()

    private func requests(_ count: Int) -> [CompleteRequest] {
        (0..<count).map { CompleteRequest(stream: Int32($0), head: RequestHead(path: "/"), body: [1]) }
    }

    @Test func `a judged request is used as the next one`() throws {
        var judged = requests(1)
        let first = ObjectIdentifier(judged[0])
        pool.give(&judged)
        #expect(judged.isEmpty)
        let spare = try #require(pool.take())
        #expect(ObjectIdentifier(spare) == first)
        spare.begin(stream: 7, head: RequestHead(path: "/3/device/ab12"), began: .zero, isMisdirected: true)
        #expect(spare.stream == 7 && spare.head.path == "/3/device/ab12" && spare.isMisdirected)
        #expect(spare.body.isEmpty && spare.omittedBytes == 0)
        #expect(pool.take() == nil)
    }

    @Test func `a request with another reference is not reused`() throws {
        var judged = requests(2)
        let held = judged[1]
        pool.give(&judged)
        #expect(pool.take() == nil)
        #expect(pool.take() != nil)
        #expect(held.stream == 1 && held.body == [1])
    }

    @Test(arguments: [255, 256, 257, 1000])
    func `no more are kept than one read brings`(count: Int) {
        var judged = requests(count)
        pool.give(&judged)
        var more = requests(10)
        pool.give(&more)
        var kept = 0
        while pool.take() != nil { kept += 1 }
        #expect(kept == min(count + 10, 256))
        #expect(judged.isEmpty && more.isEmpty)
    }
}
