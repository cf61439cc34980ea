import DevelopmentCredentials
import GatewayConfiguration
import GatewayJSON
import GatewayRuntime
import SystemFiles
import Testing

@testable import GatewayListener
@testable import GatewayServer
@testable import HTTP2Session

struct SlowBodiesTests {
    private let stream = HTTP2Stream(id: 1, slot: 0)

    @Test func `a body goes in even steps, and its last byte with the end of the stream`() {
        var bodies = SlowBodies()
        bodies.add(stream, bytes: 4, from: 1000, until: 1100)
        var steps: [SlowBodies.Step] = []
        var times: [Int64] = []
        while let due = bodies.nextDue {
            times.append(due)
            steps += bodies.steps(upTo: due)
        }
        #expect(times == [1025, 1050, 1075, 1100])
        #expect(steps.map(\.bytes) == [1, 2, 3, nil])
        #expect(bodies.isEmpty)
    }

    @Test func `a jump of the clock makes one step of many`() {
        var bodies = SlowBodies()
        bodies.add(stream, bytes: 10, from: 0, until: 100)
        #expect(bodies.steps(upTo: 9).isEmpty)
        #expect(bodies.steps(upTo: 59) == [SlowBodies.Step(stream: stream, bytes: 5)])
        #expect(bodies.steps(upTo: 500) == [SlowBodies.Step(stream: stream, bytes: nil)])
    }

    @Test func `an empty body ends at the end, and a stream that is gone is dropped`() {
        var bodies = SlowBodies()
        bodies.add(stream, bytes: 0, from: 0, until: 100)
        #expect(bodies.nextDue == 100)
        bodies.add(HTTP2Stream(id: 3, slot: 1), bytes: 1, from: 0, until: 50)
        #expect(bodies.steps(upTo: 99).map(\.stream.id) == [3])
        bodies.drop(stream)
        #expect(bodies.isEmpty && bodies.nextDue == nil)
    }
}
