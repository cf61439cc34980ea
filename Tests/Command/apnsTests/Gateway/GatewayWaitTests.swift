import DeviceSimulator
import Testing

@testable import apns

struct GatewayWaitTests {
    /// A clock whose sleeps end at once.
    private final class TestClock: Clock, @unchecked Sendable {
        // @unchecked: each test uses its clock in one task.
        struct Instant: InstantProtocol {
            var offset: Duration
            func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
            func duration(to other: Instant) -> Duration { other.offset - offset }
            static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        }

        private(set) var now = Instant(offset: .zero)
        let minimumResolution = Duration.zero

        func sleep(until deadline: Instant, tolerance: Duration?) async throws { now = deadline }
    }

    @Test func `it ends as soon as the gateway is ready`() async {
        var answers: [GatewayWait.Answer] = [.none("refused"), .notReady("the store fails"), .ready, .none("later")]
        let clock = TestClock()
        let reason = await GatewayWait.wait(upTo: .seconds(10), clock) { _ in answers.removeFirst() }
        #expect(reason == nil && answers.count == 1)
        #expect(clock.now.offset == .milliseconds(200))
    }

    @Test func `it gives up when the time is over, with the last reason`() async {
        var count = 0
        let reason = await GatewayWait.wait(upTo: .seconds(1), TestClock()) { _ in
            count += 1
            return .notReady("the store fails, \(count)")
        }
        #expect(reason == "the store fails, 11")
    }

    @Test(
        arguments: [(0, [5000]), (2000, [2000]), (7000, [5000, 1900]), (5050, [5000, 100])] as [(Int, [Int])])
    func `an answer may take as long as there is time, and without time five seconds`(
        timeout: Int, wanted: [Int]
    ) async {
        let clock = TestClock()
        var limits: [Duration] = []
        let reason = await GatewayWait.wait(upTo: .milliseconds(timeout), clock) { limit in
            limits.append(limit)
            try? await clock.sleep(for: limit)
            return .none("nothing answers")
        }
        #expect(reason == "nothing answers")
        #expect(limits == wanted.map { Duration.milliseconds($0) })
    }

    private static let other =
        "http://127.0.0.1:8444 does not answer as a gateway does; is it the control port of a gateway?"

    @Test(
        arguments: [
            (200, #"{"status":"ready"}"#, .ready),
            (200, "ok", .none(other)),
            (200, #"{"status":"ok"}"#, .none(other)),
            (200, #"["ready"]"#, .none(other)),
            (503, #"{"title":"Not ready","detail":"the store fails"}"#, .notReady("the store fails")),
            (404, "", .none("http://127.0.0.1:8444 answers 404; is it the control port of a gateway?")),
        ] as [(Int, String, GatewayWait.Answer)])
    func `only the answer of a gateway says that it is ready`(status: Int, body: String, wanted: GatewayWait.Answer) {
        let endpoint = ControlEndpoint(host: "127.0.0.1", port: 8444)
        #expect(GatewayWait.answer(status, Array(body.utf8), of: endpoint) == wanted)
    }

    @Test func `without time it asks once`() async {
        var count = 0
        let reason = await GatewayWait.wait(upTo: .zero, TestClock()) { _ in
            count += 1
            return .none("nothing answers")
        }
        #expect(reason == "nothing answers" && count == 1)
    }
}
