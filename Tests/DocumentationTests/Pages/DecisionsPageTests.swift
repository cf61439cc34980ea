import EventDelivery
import Foundation
import Personalization
import PushDispatch
import Testing

struct Product: Decodable {
    var name: String
    var price: Decimal

    enum CodingKeys: String, CodingKey {
        case name = "ssot__Name__c"
        case price = "UnitPrice__c"
    }
}

struct DecisionsPageTests {
    private func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("decisions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private func decisionClient(_ endpoint: URL, _ folder: URL) -> DecisionClient {
        let client = DecisionClient(
            DecisionConfiguration(endpoint: endpoint),
            store: FileDecisionStore(file: folder.appendingPathComponent("decisions").path))
        return client
    }

    @Test func `fetch, cache and open of the page fit`() async throws {
        let endpoint = try #require(URL(string: "https://tenant.example.com"))
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let identity = IdentitySnapshot(deviceID: "5e1d7a90c4b2f836")
        let log: @Sendable (Any) -> Void = { _ in }
        #expect(await decisionClient(endpoint, folder).credits == 0)

        var configuration = DecisionConfiguration(endpoint: endpoint)
        configuration.graphs = ["account_offers": "accounts"]
        configuration.defaults = ["home_hero": DefaultContent(attributes: ["title": "Welcome"])]
        let client = DecisionClient(
            configuration, store: FileDecisionStore(file: folder.appendingPathComponent("decisions").path),
            onEvent: { event in log(event) })

        await client.identityChanged(to: identity)
        await client.consentChanged(to: .optedIn)
        await client.networkChanged(isOnline: true)
        // Nothing is sent from here on.
        await client.networkChanged(isOnline: false)

        var context = DecisionContext(attributes: ["category": "Kettles"])
        context.anchor = DecisionAnchor(id: "7300215", type: "ssot__GoodsProduct__dlm")
        let fetched = try await client.fetchDecisions(
            ["home_hero", "home_recommendations"], context: context, timeoutMilliseconds: 3_000)
        let title = fetched["home_hero"]?.attributes["title"]
        let products = try fetched["home_recommendations"]?.decodeItems(Product.self) ?? []
        #expect(title == "Welcome" && products.isEmpty)

        if fetched.source == .cache, let time = fetched.receivedAt { log("last updated \(time)") }
        if let failure = fetched.failure { log("\(failure)") }
        #expect(fetched.source == .default && fetched.failure?.code == .network)

        let report: @Sendable (OpenedPush) async throws -> Void = { _ in }
        let open: @Sendable (String?) async -> Void = { _ in }
        let show: @Sendable (FetchedDecisions) async -> Void = { _ in }
        let opener = PushOpenedHandler(
            installation: identity.deviceID,
            store: FileDecisionStore(file: folder.appendingPathComponent("opened").path),
            actions: PushOpenedActions(
                queueOpen: { push in try await report(push) },
                route: { link in link.hasPrefix("https://www.example.com/") ? link : nil },
                navigate: { _, route in await open(route) },
                fetch: { points, context in try await client.fetchDecisions(points, context: context) },
                show: { _, result in if let decisions = try? result.get() { await show(decisions) } }))

        let dispatcher = PushDispatcher(routes: PushRoutes([]), pending: MemoryPendingStore())
        let receiver = PersonalizedPushReceiver(dispatcher, rules: PushOpenedRules())
        let push = Push(json: Data(#"{"type":"PERSONALIZED"}"#.utf8))
        #expect(receiver.isShownInForeground(push))
        #expect(await opener.opened(push, requestID: "n1")?.event == .queued)
        #expect(await opener.opened(push, requestID: "n1")?.event == .repeated)
    }

    @Test func `texts of a decision become the type of the page`() throws {
        let fields = DecisionFields(["ssot__Name__c": "Copper kettle", "UnitPrice__c": "49.50"])
        let product: Product = try fields.decode()
        #expect(product.name == "Copper kettle" && product.price == Decimal(string: "49.50"))
    }
}
