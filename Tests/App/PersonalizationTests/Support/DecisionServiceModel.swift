import EventDelivery
import Foundation
import PushDispatch

@testable import Personalization

/// Decisions and events of one service, at the transport: what was shown is linked to what became of it, and devices to people.
///
/// `@unchecked Sendable` because the lock protects everything.
final class DecisionServiceModel: DecisionTransport, @unchecked Sendable {
    let events: EventsService
    private let lock = NSLock()
    private var isOnline = true
    private var number = 0
    private var received: [JSONValue] = []
    private var others: [String: [String]] = [:]

    var requests: [JSONValue] { lock.withLock { received } }

    /// What other channels know of a person.
    var history: [String: [String]] {
        get { lock.withLock { others } }
        set { lock.withLock { others = newValue } }
    }

    init(_ events: EventsService) { self.events = events }

    func setOnline(_ isOnline: Bool) {
        lock.withLock { self.isOnline = isOnline }
        events.setOnline(isOnline)
    }

    func send(_ request: DecisionHTTPRequest) async throws(DecisionError) -> DecisionHTTPReply {
        let body = try? JSONReader.read(
            request.body, limits: JSONLimits(maximumBytes: 65_536, maximumDepth: 8, maximumValues: 1_000))
        let reply: [UInt8]? = lock.withLock {
            guard isOnline, let body else { return nil }
            received.append(body)
            return answer(body)
        }
        guard let reply else { throw DecisionError(.network, "no connection") }
        return DecisionHTTPReply(status: 200, headers: ["content-type": "application/json"], body: reply)
    }

    private func answer(_ body: JSONValue) -> [UInt8] {
        let context = body.object?["context"]?.object ?? [:]
        let device = context["individualId"]?.string ?? ""
        let points = (body.object?["personalizationPoints"]?.array ?? []).compactMap { $0["name"] }
        var personalizations: [JSONValue] = []
        for point in points {
            number += 1
            let id = "p-\(number)"
            var skus = ["7300215", "7300216"]
            if context["category"] == nil { skus = viewed(by: device) }
            let data = skus.enumerated().map { index, sku -> JSONValue in
                [
                    "personalizationContentId": .string("\(id):\(index)"), "ssot__ProductSKU__c": .string(sku),
                    "PurchaseUrl__c": .string("https://www.example.com/p/kettle-\(sku).html"),
                ]
            }
            personalizations.append([
                "personalizationId": .string(id), "personalizationPointName": .string(point), "data": .array(data),
            ])
        }
        return JSONValue.object(["requestId": .string("r-\(number)"), "personalizations": .array(personalizations)])
            .compactBytes
    }

    /// What a device's person has looked at, on it and elsewhere.
    private func viewed(by device: String) -> [String] {
        let mine = events.events.filter { $0["deviceId"] == device }
        let user = mine.last { $0["eventType"] == "identity" }?["userId"]
        let here = mine.filter { $0["eventType"] == "catalog" }.compactMap { $0["id"] }
        return (user.flatMap { others[$0] } ?? []) + here
    }

    /// The names of the events for a decision.
    func engagement(with decision: String) -> [String] {
        events.events.filter { $0["personalizationId"] == decision }.map(\.kind)
    }
}
