import EventDelivery
import Foundation
import Personalization
import PersonalizationSimulator
import ServiceHost

/// The decision service of the shop: the core of `apns personalization`, whose answers are partly replaced by refusals.
///
/// Each user has content of their own, so that content that is shown to somebody else is recognised.
///
/// @unchecked: only the thread of the simulation uses it.
final class ShopService: @unchecked Sendable {
    static let points = ["home", "offers"]
    static let landing = "notification_landing_recs"
    /// The attribute of a decision that names its user.
    static let owner = "owner"
    /// The owner of content for anonymous people.
    static let nobody = "nobody"
    private static let start = ServiceConfiguration(seed: 1)
    static var appSourceID: String { start.appSourceID }

    private unowned let run: ShopRun
    private var world: ServiceWorld

    init(_ run: ShopRun) {
        self.run = run
        var configuration = ShopService.start
        configuration.seed = run.seed
        configuration.appSourceID = ShopService.appSourceID
        let type = "ssot__GoodsProduct__dlm"
        var catalog = ItemCatalog(type)
        for number in 1...3 {
            if let item = Item(["ssot__ProductSKU__c": "70\(number)", "ssot__Name__c": "Kettle \(number)"]) {
                _ = catalog.add(item)
            }
        }
        configuration.items = [type: catalog]
        var number = 0
        configuration.points = (ShopService.points + [ShopService.landing]).enumerated().map { index, name in
            var point = DecisionPoint(name, number: index + 1)
            if name == "offers" { point.graph = "other" }
            for user in run.userNames + [ShopService.nobody] {
                number += 1
                var decision = PointDecision("for \(user)", number: number)
                decision.content = [ShopService.owner: user]
                if user != ShopService.nobody {
                    decision.conditions = [Condition(.attribute("firstName"), .equals(.literal(user)))]
                }
                if name != "offers" { decision.recommender = Recommender(type, limit: 2) }
                point.decisions.append(decision)
            }
            return point
        }
        world = ServiceWorld(configuration)
    }

    /// The events in the order of their arrival, without repeats.
    var received: [ServiceEvent] { world.service.events.entries.map(\.event) }

    var repeats: Int { world.service.events.repeats }

    /// A request has arrived.
    ///
    /// - Parameter events: Those of the request; nil for a decision request.
    func answer(_ request: DecisionHTTPRequest, _ events: [EventID]?, of device: ShopDevice) -> DecisionHTTPReply {
        // Identity events are never refused for good: the service could not learn later who uses the app.
        let isIdentity = events.map { device.audit.hasIdentity($0) } ?? false
        if let refusal = refusal(isDecision: events == nil), refusal.status != 400 || !isIdentity {
            run.count(.serviceRefusal)
            // A server can fail after it has stored the events.
            if refusal.status >= 500, run.chance(50) { _ = perform(request) }
            if refusal.status == 400, let events, events.count == 1 { device.audit.refusedAlone(events[0]) }
            run.trace("the service refuses \(device.name): \(refusal.status)")
            return refusal
        }
        return perform(request)
    }

    private func perform(_ request: DecisionHTTPRequest) -> DecisionHTTPReply {
        let response = world.answer(
            ServiceRequest(
                "POST", request.url.path, headers: ["content-type": request.contentType], body: request.body),
            real: ShopRun.start + run.timeline.now
        ).response
        if response.status >= 400 { run.trace("the service answers \(response.status)") }
        return DecisionHTTPReply(status: response.status, headers: response.headers, body: response.body)
    }

    private func refusal(isDecision: Bool) -> DecisionHTTPReply? {
        guard run.injectsFault(run.faults.refusalPercent) else { return nil }
        let page = DecisionHTTPReply(
            status: 200, headers: ["content-type": "text/html"], body: Array("<p>Log in to the Wi-Fi".utf8))
        let busy = DecisionHTTPReply(status: 503, headers: ["retry-after": "2"])
        return run.pick(
            [400, 401, 429, 500, 503].map { DecisionHTTPReply(status: $0) } + [busy, isDecision ? page : busy])
    }
}
