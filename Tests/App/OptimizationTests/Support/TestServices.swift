import Foundation
import PushDispatch

@testable import Optimization

/// The profile and the analytics service in memory: it records requests, and answers as a test says.
///
/// `@unchecked Sendable` because the lock protects everything.
final class TestServices: OptimizationTransport, @unchecked Sendable {
    enum Answer: Sendable {
        case status(Int, body: String = "", headers: [String: String] = [:])
        case failure(TransportFailure)
    }

    private let lock = NSLock()
    private var recorded: [OptimizationHTTPRequest] = []
    private var scripted: [Answer] = []
    private var always: Answer?
    private var profileNumber = 0
    private var replySelections: [ExperienceSelection] = []
    private var replyChanges: [OptimizationChange] = []
    private var held: [CheckedContinuation<Void, Never>] = []
    private var isHeld = false

    /// Answers the next requests this way, one each.
    func script(_ answers: Answer...) { lock.withLock { scripted += answers } }

    /// Answers every request this way; nil for the usual way.
    func answerAlways(_ answer: Answer?) { lock.withLock { always = answer } }

    func select(_ selections: [ExperienceSelection], changes: [OptimizationChange] = []) {
        lock.withLock { (replySelections, replyChanges) = (selections, changes) }
    }

    /// Holds back answers until `release()`.
    func hold() { lock.withLock { isHeld = true } }

    func release() {
        let waiting = lock.withLock {
            isHeld = false
            defer { held = [] }
            return held
        }
        for continuation in waiting { continuation.resume() }
    }

    var requests: [OptimizationHTTPRequest] { lock.withLock { recorded } }

    var profileRequests: [OptimizationHTTPRequest] { requests.filter { $0.url.path.contains("/v2/") } }
    var analyticsRequests: [OptimizationHTTPRequest] { requests.filter { $0.url.path.contains("/v1/") } }

    /// The events of all requests to the profile service.
    var profileEvents: [[String: JSONValue]] {
        profileRequests.flatMap { Self.json($0)?.object?["events"]?.array ?? [] }.compactMap(\.object)
    }

    /// The events of all requests to the analytics service, with their profiles.
    var analyticsEvents: [(profile: String, event: [String: JSONValue])] {
        analyticsRequests.flatMap { Self.json($0)?.array ?? [] }.flatMap { group in
            (group.object?["events"]?.array ?? []).compactMap(\.object).map {
                (group.object?["profile"]?.object?["id"]?.string ?? "", $0)
            }
        }
    }

    static func json(_ request: OptimizationHTTPRequest) -> JSONValue? {
        let limits = JSONLimits(maximumBytes: 1 << 24, maximumDepth: 64, maximumValues: 1 << 20)
        return try? JSONReader.read(request.body ?? [], limits: limits)
    }

    func send(_ request: OptimizationHTTPRequest) async throws(TransportFailure) -> OptimizationHTTPReply {
        let (answer, waits) = lock.withLock {
            recorded.append(request)
            return (scripted.isEmpty ? always : scripted.removeFirst(), isHeld)
        }
        if waits {
            await withCheckedContinuation { continuation in
                let goes = lock.withLock {
                    if isHeld { held.append(continuation) }
                    return !isHeld
                }
                if goes { continuation.resume() }
            }
        }
        switch answer {
        case .failure(let failure)?: throw failure
        case .status(let status, let body, let headers)?:
            return OptimizationHTTPReply(status: status, headers: headers, body: Array(body.utf8))
        case nil: return usual(request)
        }
    }

    private func usual(_ request: OptimizationHTTPRequest) -> OptimizationHTTPReply {
        guard request.url.path.contains("/v2/") else { return OptimizationHTTPReply(status: 204) }
        let parts = request.url.path.split(separator: "/").map(String.init)
        let reply: JSONValue = lock.withLock {
            var id = parts.last ?? ""
            if id == "profiles" {
                profileNumber += 1
                id = "p\(profileNumber)"
            }
            return [
                "data": [
                    "profile": ["id": .string(id), "audiences": ["aud-1"], "traits": ["first_name": "Kim"]],
                    "experiences": .array(replySelections.map(\.json)),
                    "changes": .array(replyChanges.map(\.json)),
                ], "message": "ok", "error": .null,
            ]
        }
        return OptimizationHTTPReply(status: 200, body: reply.compactBytes)
    }
}
