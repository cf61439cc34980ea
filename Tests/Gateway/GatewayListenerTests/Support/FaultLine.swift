import APNSModel
import GatewayCore
import GatewayTestSupport
import GatewayTesting
import HTTP2Session
import Testing

/// A connection to a gateway with fault rules. All its requests carry the same provider token.
struct FaultLine {
    typealias Events = AsyncStream<RawSender.Observed>.Iterator

    /// The device whose requests are hit, and one whose requests are not.
    static let victim = "ab12"
    static let other = "cd34"

    let sender: RawSender
    let fields: [(StaticString, String)]

    /// Opens a connection, on which stream 1 is accepted.
    ///
    /// - Returns: The connection, the events to come, and those before the answer.
    static func open(_ gateway: TestGateway) async throws -> (FaultLine, Events, before: [RawSender.Observed]) {
        let line = FaultLine(sender: try await gateway.rawSender(), fields: try gateway.fields(to: other))
        var events = line.sender.observed.makeAsyncIterator()
        try await line.send(to: other)
        let (answer, before) = await line.sender.answer(on: 1, &events)
        #expect(answer.headers.first == ":status: 200")
        _ = await rest(of: &events, until: .closed(1, .noError))
        return (line, events, before)
    }

    /// - Parameter changes: Other values of headers.
    func send(to device: String, _ changes: [String: String] = [:]) async throws {
        try await sender.submit(request(to: device, changes), body: silent)
    }

    /// All in one write.
    func send(to devices: [String]) async throws {
        try await sender.submit(devices.map { request(to: $0) }, body: silent)
    }

    private func request(to device: String, _ changes: [String: String] = [:]) -> [(StaticString, String)] {
        fields.map { name, value in
            "\(name)" == ":path" ? (name, "/3/device/\(device)") : (name, changes["\(name)"] ?? value)
        }
    }

    /// A fault rule for the requests of `victim`.
    static func rule(_ effect: String, _ more: String = "") -> String {
        #"{"match":{"token":"\#(victim)"},"effect":\#(effect)\#(more)}"#
    }
}

/// Runs `body` with a gateway that has these fault rules.
func withFaults(
    _ rules: String..., clock: TestGateway.Clock = .manual(), body: (TestGateway) async throws -> Void
) async throws {
    try await withGateway(device: FaultLine.victim, devices: .open, clock: clock) { gateway in
        for rule in rules {
            let made = try await gateway.control.call("POST", "/api/faults", rule)
            #expect(made.status == 201, "\(made.body)")
        }
        try await body(gateway)
    }
}

/// The events to come, up to and with `last`.
func rest(
    of events: inout FaultLine.Events, until last: RawSender.Observed = .disconnected
) async -> [RawSender.Observed] {
    var seen: [RawSender.Observed] = []
    while let event = await events.next() {
        seen.append(event)
        if event == last { break }
    }
    return seen
}

extension RawSender.Observed {
    var isHead: Bool { if case .head = self { true } else { false } }
    var isGoAway: Bool { if case .goAway = self { true } else { false } }
}
