import APNSModel
import APNSPayload
import APNSProvider
import DeviceSimulator
import EventDelivery
import Foundation
import Personalization
import PersonalizationSimulator
import ServiceHost

/// A campaign's push, from the provider to the decision that it leads to and to what the decision service counts for it; then
/// the same without a network.
struct DemoCampaign {
    private let backEnd: DemoBackEnd
    private let service: ServiceServer
    private let shop: DemoShop
    private let output = Output.standard

    private static let person = KnownPerson(userID: "u-1001", email: "kim@example.com", firstName: "Kim")
    private static let point = "notification_landing_recs"

    /// - Parameter folder: For the files of the app.
    static func play(_ backEnd: DemoBackEnd, in folder: URL) async throws {
        let configuration = ServiceConfiguration.standard()
        let service: ServiceServer
        do {
            service = try await ServiceServer.start(ServiceWorld(configuration), ServiceServer.Options())
        } catch let error as ServicePort.StartError {
            throw CommandError(error.description)
        }
        do {
            let shop = try await DemoShop(
                at: backEnd.gateway, service: service.url, appSourceID: configuration.appSourceID, in: folder)
            do {
                let campaign = DemoCampaign(backEnd: backEnd, service: service, shop: shop)
                try await campaign.withoutNetwork(after: try await campaign.withNetwork())
            } catch {
                await shop.stop()
                throw error
            }
            await shop.stop()
        } catch {
            await service.stop()
            throw error
        }
        await service.stop()
    }

    // MARK: Scenes

    /// - Returns: The decision that the push led to.
    private func withNetwork() async throws -> Decision {
        output.scene("campaign", "Kim opens a push of a shop, and all that follows belongs to one decision")
        try await logIn()
        let push = try await send(title: "New kettle range")
        let opened = try await open(push)
        try check(opened.content.source == .service, "the recommendations came from the service")
        let decision = try recommendations(opened)
        output.line("fetch", "from the service: \(names(decision))")
        let isSeen = try await shop.see(0, of: decision)
        let isSeenAgain = try await shop.see(0, of: decision)
        try check(isSeen && !isSeenAgain, "an impression counts once in a session")
        output.line("seen", "\(name(0, decision)), twice: 1 impression")
        try await tap(0, of: decision)
        try await shop.flush()
        let record = try record(of: decision)
        try check(counts(record) == [1, 1, 1], "open, impression and click belong to the decision")
        let individual = service.read { $0.service.individuals.first?.find(record.individual)?.email }
        try check(individual == DemoCampaign.person.email, "the decision was made for the person who is logged in")
        output.line("service", "a decision for \(individual ?? ""): \(text(record))")
        return decision
    }

    private func withoutNetwork(after first: Decision) async throws {
        output.scene("no network", "a reminder comes, and the phone has no network when Kim opens it")
        let push = try await send(title: "The kettles are waiting")
        await shop.client.networkChanged(isOnline: false)
        let before = service.read { $0.service.events.received }
        let opened = try await open(push)
        try check(opened.content.source == .cache, "the recommendations came from the cache")
        let decision = try recommendations(opened)
        try check(decision.personalizationID == first.personalizationID, "cached content keeps the ids of its decision")
        output.line("fetch", "from the cache: \(names(decision))")
        let isSeenAgain = try await shop.see(0, of: decision)
        let isSeen = try await shop.see(1, of: decision)
        try check(!isSeenAgain && isSeen, "what was seen counts once in a session")
        output.line("seen", "\(name(1, decision)): 1 impression; \(name(0, decision)) has counted")
        try await tap(1, of: decision)
        let kept = await shop.keptEvents
        try check(service.read { $0.service.events.received } == before, "nothing is sent without a network")
        output.line("kept", "\(kept) events; the service still has \(text(try record(of: first)))")
        try await online(kept, before)
        try await refresh(opened, first)
    }

    private func online(_ kept: Int, _ before: Int) async throws {
        let now = EventTime.now().milliseconds
        await shop.client.networkChanged(isOnline: true)
        try await shop.flush()
        let (entries, repeats) = service.read {
            (Array($0.service.events.entries.suffix($0.service.events.received - before)), $0.service.events.repeats)
        }
        let names = entries.map { $0.event.interactionName }
        try check(
            names == ["Push Notification Open", "catalog-object-view-start", "catalog-object-click"] && repeats == 0
                && entries.count == kept, "all events arrive once and in order")
        try check(
            entries.allSatisfy { $0.event.time <= now && $0.arrived >= now }, "events have the time of their capture")
        output.line("online", "\(entries.count) events arrive once, in order, with the times at which they happened")
    }

    /// The landing point again, now that there is a network.
    private func refresh(_ opened: DemoShop.Opened, _ first: Decision) async throws {
        let fetched = try await shop.client.fetchDecisions(opened.points, context: opened.context)
        guard fetched.source == .service, let next = fetched[DemoCampaign.point] else {
            throw CommandError("the service made no decision after the phone was online again", .no)
        }
        let (old, new) = (try record(of: first), try record(of: next))
        try check(counts(old) == [1, 2, 2], "what was kept counts for the decision that was shown")
        try check(counts(new) == [1, 0, 0], "the second open counts for the next decision")
        output.line("service", "\(text(old)); the next decision has the second open")
    }

    // MARK: Steps

    private func logIn() async throws {
        try await shop.client.setConsent(.optedIn)
        try await shop.client.logIn(DemoCampaign.person)
        try await shop.flush()
        let device = try await shop.client.identity().deviceID
        let devices = service.read {
            $0.service.individuals.first?.find(DemoCampaign.person.email ?? "")?.deviceIDs ?? []
        }
        try check(devices.contains(device), "the service knows whose phone it is")
        output.line(
            "log-in", "Kim agrees and logs in; the service joins the phone with \(DemoCampaign.person.email ?? "")")
    }

    /// Sends a push of the campaign.
    ///
    /// - Returns: The push as it arrived.
    private func send(title: String) async throws -> DeliveredPush {
        let push = try APNSPayload.PersonalizedPush(
            AlertPush(Alert(title: .plain(title), body: "See what fits you")), points: [DemoCampaign.point],
            context: ["category": "Kettles", "campaign": "spring-26"],
            link: "https://www.example.com/c/kitchen/kettles")
        let notification = APNSNotification(push, to: shop.device.token, of: DemoBackEnd.topic)
        var validator = Validator()
        let findings = validator.findings(for: Envelope(notification))
        let reply = try await backEnd.provider.send(notification)
        try check(reply.isAccepted, "the gateway accepts the push: \(reply)")
        guard let delivered = try await shop.device.handled(1).first else { throw CancellationError() }
        output.line(
            "push",
            "\"\(title)\": \(notification.payload.count) bytes, \(findings.count) findings, answered with "
                + "\(reply.status), delivered")
        return delivered
    }

    private func open(_ push: DeliveredPush) async throws -> DemoShop.Opened {
        let opened = try await shop.open(push)
        try check(opened.event == .queued, "the open event is in the queue")
        guard let route = opened.route else {
            throw CommandError("the link of the push leads nowhere", .no)
        }
        output.line("tap", "queues the open event, then opens \(route.kind) \(route.value)")
        return opened
    }

    private func tap(_ index: Int, of decision: Decision) async throws {
        let route = try await shop.tap(index, of: decision)
        output.line("click", "\(name(index, decision)) opens \(route.kind) \(route.value)")
    }

    private func recommendations(_ opened: DemoShop.Opened) throws -> Decision {
        guard let decision = opened.content[DemoCampaign.point], decision.items.count == 2 else {
            throw CommandError("there are no two recommendations to show", .no)
        }
        return decision
    }

    // MARK: The service's picture

    private func record(of decision: Decision) throws -> DecisionRecord {
        guard let record = service.read({ $0.service.decisions[decision.personalizationID ?? ""] }) else {
            throw CommandError("the service does not know the decision about \(decision.point)", .no)
        }
        return record
    }

    private func counts(_ record: DecisionRecord) -> [Int] {
        [record.count(.open), record.count(.impression), record.count(.click)]
    }

    private func text(_ record: DecisionRecord) -> String {
        zip(counts(record), ["open", "impression", "click"]).map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
            .joined(separator: ", ")
    }

    private func name(_ index: Int, _ decision: Decision) -> String {
        decision.items[index]["ssot__Name__c"] ?? "item \(index)"
    }

    private func names(_ decision: Decision) -> String {
        decision.items.indices.map { name($0, decision) }.joined(separator: ", ")
    }

    private func check(_ holds: Bool, _ what: @autoclosure () -> String) throws {
        if !holds { throw CommandError("this does not hold: \(what())", .no) }
    }
}
