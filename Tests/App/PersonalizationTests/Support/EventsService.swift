import EventDelivery
import Foundation
import PushDispatch

/// The service for events, at the transport: it reads the form, checks the events and drops repeats.
///
/// `@unchecked Sendable` because the lock protects everything.
final class EventsService: EventTransport, @unchecked Sendable {
    private let lock = NSLock()
    private var stored: [JSONValue] = []
    private var ids: Set<String> = []
    private var isOnline = true
    private var lostAnswers = 0
    private var status: Int?
    private var repeated = 0

    /// Requests that wait for `release`; nil if they are answered at once.
    private var held: [CheckedContinuation<Void, Never>]?

    func send(_ batch: EventBatch) async -> TransportAnswer {
        await withCheckedContinuation { continuation in
            let isHeld = lock.withLock {
                held?.append(continuation)
                return held != nil
            }
            if !isHeld { continuation.resume() }
        }
        return lock.withLock { take(batch) }
    }

    private func take(_ batch: EventBatch) -> TransportAnswer {
        guard isOnline else { return .noAnswer }
        if let status { return .status(status) }
        guard batch.contentType == "application/x-www-form-urlencoded", let events = EventsService.events(batch.body)
        else { return .status(415) }
        for event in events {
            guard let id = event.object?["eventId"]?.string, event.isComplete else { return .status(400) }
            guard ids.insert(id).inserted else {
                repeated += 1
                continue
            }
            stored.append(event)
        }
        guard lostAnswers == 0 else {
            lostAnswers -= 1
            return .noAnswer
        }
        return .status(204)
    }

    /// Reads `event=` and the percent-encoded Base64 of `{"events":[…]}`, as a form decoder does.
    private static func events(_ body: [UInt8]) -> [JSONValue]? {
        let text = String(decoding: body, as: UTF8.self)
        guard text.hasPrefix("event="), !text.contains("+"), !text.contains("/"),
            text.dropFirst(6).allSatisfy({ $0 != "=" }),
            let base64 = String(text.dropFirst(6)).removingPercentEncoding, let data = Data(base64Encoded: base64),
            let value = try? JSONReader.read(
                Array(data), limits: JSONLimits(maximumBytes: 1 << 20, maximumDepth: 8, maximumValues: 100_000))
        else { return nil }
        return value.object?["events"]?.array
    }

    // What a test does and sees.

    func setOnline(_ isOnline: Bool) { lock.withLock { self.isOnline = isOnline } }

    /// Answers nothing until `release`.
    func hold() { lock.withLock { held = [] } }

    func release() {
        let waiting = lock.withLock {
            defer { held = nil }
            return held ?? []
        }
        for continuation in waiting { continuation.resume() }
    }

    func loseAnswers(_ count: Int) { lock.withLock { lostAnswers = count } }

    func answer(_ status: Int?) { lock.withLock { self.status = status } }

    /// How many events came again.
    var repeats: Int { lock.withLock { repeated } }

    var events: [JSONValue] { lock.withLock { stored } }

    /// The types of the events, or the behaviour or interaction where there is one.
    var kinds: [String] { events.map(\.kind) }
}

extension JSONValue {
    subscript(key: String) -> String? { object?[key]?.string }

    var kind: String { self["behaviorType"] ?? self["interactionName"] ?? self["status"] ?? self["eventType"] ?? "?" }

    /// Whether it has the fields that every event and its kind must have.
    var isComplete: Bool {
        for key in ["dateTime", "deviceId", "sessionId", "eventType", "category"] {
            guard let text = self[key], !text.isEmpty else { return false }
        }
        guard self["channel"] == "mobile", self["dateTime"]?.utf8.count == 24 else { return false }
        let required: [String] =
            switch self["eventType"] {
            case "identity": ["isAnonymous"]
            case "partyIdentification": ["IDName", "IDType", "userId"]
            case "catalog": ["interactionName", "type", "id"]
            case "consentLog": ["status", "provider", "purpose"]
            case "appEvents": ["behaviorType", "appName", "appVersion"]
            case "userEngagement", "engagement": ["interactionName"]
            default: []
            }
        return required.allSatisfy { self[$0] != nil }
    }
}
