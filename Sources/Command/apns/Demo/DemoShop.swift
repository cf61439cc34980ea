import APNSModel
import DeviceSimulator
import EventDelivery
import Foundation
import GatewayServer
import Personalization
import PushDispatch
import Synchronization

/// A shop's app on a phone, in this process: a device of the gateway, and the libraries for a decision service with their files.
final class DemoShop: Sendable {
    let device: DemoDevice<DeliveredPush>
    let client: PersonalizationClient
    private let queue: EventQueue
    private let links: DeepLinkRules
    private let handler: PushOpenedHandler<DeepLinkRoute>
    private let shown: AsyncStream<Shown>

    /// What the screen got after a push was opened: first the place, then the content.
    struct Shown: Sendable {
        var route: DeepLinkRoute?
        var content: Result<FetchedDecisions, any Error>
    }

    /// A push that was opened, and what the screen showed.
    struct Opened: Sendable {
        var event: OpenEventOutcome
        var route: DeepLinkRoute?
        var points: [String]
        var context: DecisionContext
        var content: FetchedDecisions
    }

    /// What the screen shows now. The handler opens the place before it shows any content.
    private final class Screen: Sendable {
        private let place = Mutex<DeepLinkRoute?>(nil)

        func open(_ route: DeepLinkRoute?) { place.withLock { $0 = route } }
        func take() -> DeepLinkRoute? { place.withLock { $0.take() } }
    }

    private static let limitMilliseconds: Int64 = 20_000
    private static let host = "www.example.com"

    /// - Parameters:
    ///   - service: The address of the decision service.
    ///   - folder: For the files of the libraries.
    init(at gateway: RunningGateway, service: String, appSourceID: String, in folder: URL) async throws {
        var configuration = try PersonalizationConfiguration(
            endpoint: service, appSourceID: appSourceID, app: AppDescription(name: "Shop", version: "1.0"))
        configuration.links.hosts = [DemoShop.host]
        links = configuration.links
        let file = { (name: String) in folder.appendingPathComponent(name).path }
        let http = URLSessionDecisionTransport()
        queue = EventQueue(
            store: FileEventStore(file: file("shop-events")),
            destinations: [
                PersonalizationClient.destination(
                    configuration, transport: PersonalizationEventTransport(configuration, http: http))
            ])
        client = PersonalizationClient(
            configuration: configuration, queue: queue,
            storage: FilePersonalizationStorage(file: file("shop-personalization")),
            decisions: DecisionClient(
                DecisionConfiguration(endpoint: configuration.endpoint), transport: http,
                store: FileDecisionStore(file: file("shop-decisions"))))
        try await client.start()
        let (stream, continuation) = AsyncStream.makeStream(of: Shown.self)
        let screen = Screen()
        shown = stream
        handler = try await client.pushOpenedHandler(
            store: FileDecisionStore(file: file("shop-opened")), tasks: .standard,
            eventLimitMilliseconds: DemoShop.limitMilliseconds, navigate: { _, route in screen.open(route) },
            show: { _, content in continuation.yield(Shown(route: screen.take(), content: content)) })
        device = try await DemoDevice("phone with the shop", at: gateway) { $0 }
    }

    func stop() async { await device.stop() }

    /// Opens a push as a tap on its notification does, and waits until the screen shows the recommendations.
    func open(_ push: DeliveredPush) async throws -> Opened {
        guard
            let opening = await handler.opened(Push(json: Data(push.payload)), requestID: push.uniqueID)
        else { throw CommandError("the shop does not take the push as one of its own", .no) }
        var screen: Shown?
        for await next in shown {
            screen = next
            break
        }
        // A cancelled stream ends early.
        guard let screen else { throw CancellationError() }
        return Opened(
            event: opening.event, route: screen.route, points: opening.push.content.points,
            context: opening.push.content.context, content: try screen.content.get())
    }

    /// The item of a decision comes on the screen.
    ///
    /// - Returns: Whether it counts as an impression.
    func see(_ index: Int, of decision: Decision) async throws -> Bool {
        try await client.appeared(try content(index, of: decision))
    }

    /// Taps an item of a decision.
    ///
    /// - Returns: The place that it leads to.
    func tap(_ index: Int, of decision: Decision) async throws -> DeepLinkRoute {
        let content = try content(index, of: decision)
        guard let route = links.outcome(ofItem: { decision.items[index][$0] })?.route else {
            throw CommandError("item \(index) of \(decision.point) leads nowhere", .no)
        }
        try await client.followed(route, from: content)
        return route
    }

    private func content(_ index: Int, of decision: Decision) throws -> EngagementContent {
        guard let content = decision.engagement(withItem: index) else {
            throw CommandError("the decision about \(decision.point) has no item \(index) with an id", .no)
        }
        return content
    }

    /// How many events wait to be sent.
    var keptEvents: Int {
        get async { await queue.status(of: client.configuration.destination)?.kept ?? 0 }
    }

    /// Sends what is kept.
    ///
    /// - Returns: How many events the service took.
    @discardableResult
    func flush() async throws -> Int {
        let report = await client.flush(within: DemoShop.limitMilliseconds)
        guard report.end == .complete, report.kept == 0 else {
            throw CommandError("the shop's events were not sent: \(report.kept) are kept (\(report.end))", .no)
        }
        return report.delivered
    }
}
