import EventDelivery
import Foundation
import PushDispatch
import TestSupport
import Testing

@testable import Personalization

/// A decision service that answers as a test says, at once or when it is told to.
///
/// `@unchecked Sendable` because the lock protects everything.
final class DecisionTestService: DecisionTransport, @unchecked Sendable {
    typealias Answer = Result<DecisionHTTPReply, DecisionError>

    private let lock = NSLock()
    private var answers: @Sendable ([String]) -> Answer = { .success(.test($0)) }
    private var isHeld = false
    private var held: [(points: [String], continuation: CheckedContinuation<Answer, Never>)] = []
    private var bodies: [[String: JSONValue]] = []

    func send(_ request: DecisionHTTPRequest) async throws(DecisionError) -> DecisionHTTPReply {
        let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 32, maximumValues: 10_000)
        let body = (try? JSONReader.read(request.body, limits: limits))?.object ?? [:]
        let points = (body["personalizationPoints"]?.array ?? []).compactMap { $0.object?["name"]?.string }
        let answer = await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
            let answer: Answer? = lock.withLock {
                bodies.append(body)
                guard isHeld else { return answers(points) }
                held.append((points, continuation))
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
        return try answer.get()
    }

    func answer(_ answers: @escaping @Sendable ([String]) -> Answer) { lock.withLock { self.answers = answers } }

    /// From now on requests wait for `release`.
    func hold() { lock.withLock { isHeld = true } }

    func release() {
        let due = lock.withLock {
            isHeld = false
            defer { held = [] }
            return held.map { ($0.continuation, answers($0.points)) }
        }
        for (continuation, answer) in due { continuation.resume(returning: answer) }
    }

    var requests: [[String: JSONValue]] { lock.withLock { bodies } }

    /// Waits until so many requests have come.
    func waitForRequests(_ count: Int) async { #expect(await eventually { requests.count >= count }) }
}

/// What a client reported.
///
/// `@unchecked Sendable` because the lock protects everything.
final class DecisionEventLog: @unchecked Sendable {
    private let lock = NSLock()
    private var events: [DecisionEvent] = []

    func add(_ event: DecisionEvent) { lock.withLock { events.append(event) } }

    var all: [DecisionEvent] { lock.withLock { events } }

    func wait(for event: DecisionEvent) async { #expect(await eventually { all.contains(event) }) }
}

extension DecisionHTTPReply {
    /// A decision with one item for each point; its ids begin with `number`.
    static func test(_ points: [String], number: Int = 1) -> DecisionHTTPReply {
        let elements = points.map { point in
            #"{"personalizationId":"\#(number)-\#(point)","personalizationPointName":"\#(point)","#
                + #""data":[{"personalizationContentId":"\#(number)-\#(point):0","name":"\#(point) item"}]}"#
        }
        return test(#"{"requestId":"r\#(number)","personalizations":[\#(elements.joined(separator: ","))]}"#)
    }

    static func test(_ json: String, status: Int = 200) -> DecisionHTTPReply {
        DecisionHTTPReply(status: status, headers: ["content-type": "application/json"], body: Array(json.utf8))
    }
}

extension IdentitySnapshot {
    static let anonymous = IdentitySnapshot(deviceID: "device-1")
    static let kim = IdentitySnapshot(deviceID: "device-1", userID: "kim", generation: 1)
    static let lee = IdentitySnapshot(deviceID: "device-1", userID: "lee", generation: 2)
}

/// The JSON of a text, for a comparison.
func testJSON(_ text: String) throws -> JSONValue {
    try JSONReader.read(
        Array(text.utf8), limits: JSONLimits(maximumBytes: 1 << 20, maximumDepth: 32, maximumValues: 10_000))
}
