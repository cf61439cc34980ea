import EventDelivery
import Foundation
import Personalization
import PersonalizationSimulator
import ServiceHost
import PushDispatch
import TestSupport
import Testing

/// The code of docs/personalization.md, against the simulated service that the page describes.
@Suite(.timeLimit(.minutes(10))) struct ShopPageTests {
    /// Runs the simulated service without a configuration, and an app on it.
    private func withShop(_ body: (Shop, ServiceServer, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = ServiceConfiguration.standard()
        let server = try await ServiceServer.start(ServiceWorld(configuration), ServiceServer.Options())
        do {
            let shop = try Shop(endpoint: server.url, appSourceID: configuration.appSourceID, folder: folder)
            try await body(shop, server, folder)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func counts(_ server: ServiceServer, _ decision: Decision?) -> [Int]? {
        server.read { world in
            world.service.decisions[decision?.personalizationID ?? ""].map { record in
                [ServiceEvent.Action.open, .impression, .click, .dismissal].map { record.count($0) }
            }
        }
    }

    @Test func `from nothing to decisions and engagement`() async throws {
        try await withShop { shop, server, _ in
            try await shop.client.start()

            await #expect(throws: DecisionError.self) { try await shop.client.fetchDecisions(["home_hero"]) }

            try await shop.client.setConsent(.optedIn)

            try await shop.client.logIn(
                KnownPerson(userID: "u-1001", email: "kim@example.com", firstName: "Kim", lastName: "Lee"))

            let fetched = try await shop.client.fetchDecisions(["home_hero", "home_recommendations"])
            let title = fetched["home_hero"]?.attributes["title"]
            let products = try fetched["home_recommendations"]?.decodeItems(Product.self) ?? []
            #expect(title == "Welcome back", "Kim is a gold customer")
            #expect(products.map(\.name) == ["Copper kettle", "Steel kettle", "Green tea"])
            #expect(products.first?.price == Decimal(string: "49.50"))
            #expect(fetched.source == .service && fetched.credits == 2)

            let decision = try #require(fetched["home_recommendations"])
            var opened: [DeepLinkRoute] = []
            let open = { (route: DeepLinkRoute) in opened.append(route) }

            let row = RecommendationsModel(decision, reporter: shop.reporter, links: shop.configuration.links)
            row.appeared(at: 0)
            if case .route(let route)? = row.tapped(at: 0) { open(route) }
            row.dismissed(at: 1)

            #expect(opened == [DeepLinkRoute(.product, "7300215")])
            // The reporter passes them on in its own time, in this order.
            let isCounted = await eventually {
                _ = await shop.client.flush(within: 10_000)
                return counts(server, decision) == [0, 1, 1, 1]
            }
            #expect(isCounted)
            try await shop.client.logOut()
        }
    }

    @Test func `links lead into the app only by its own rules`() async throws {
        try await withShop { shop, _, _ in
            for (link, wanted) in [
                ("https://www.example.com/c/kitchen/kettles", "category kitchen/kettles"),
                ("https://www.example.com/p/copper-kettle-7300215.html", "product 7300215"),
                ("https://elsewhere.example.net/p/1.html", "outside"),
                ("http://www.example.com/p/copper-kettle-7300215.html", "refused"),
            ] {
                var outcome = ""

                switch shop.configuration.links.outcome(of: link) {
                case .route(let route): outcome = "\(route.kind) \(route.value)"
                case .outside: outcome = "outside"
                case .refused: outcome = "refused"
                }

                #expect(outcome == wanted)
            }
        }
    }

    /// What the screen of the page does.
    private actor LandingScreen {
        private(set) var shown: [String] = []
        private(set) var decision: Decision?
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func open(_ route: DeepLinkRoute?) { shown.append("open \(route?.value ?? "the start")") }

        func update(_ fetched: FetchedDecisions) {
            shown.append("update from \(fetched.source)")
            decision = fetched["notification_landing_recs"]
            for waiter in waiting { waiter.resume() }
            waiting = []
        }

        /// Returns when something was fetched.
        func updated() async {
            if decision == nil { await withCheckedContinuation { waiting.append($0) } }
        }
    }

    @Test func `a push is opened, and without a network too`() async throws {
        try await withShop { shop, server, folder in
            let screen = LandingScreen()
            try await shop.client.setConsent(.optedIn)

            let handler = try await shop.client.pushOpenedHandler(
                store: FileDecisionStore(file: folder.appendingPathComponent("opened").path),
                navigate: { push, route in await screen.open(route) },
                show: { push, result in if let fetched = try? result.get() { await screen.update(fetched) } })

            let push = Push(
                json: Data(
                    #"""
                    {"aps":{"alert":{"title":"New kettle range"}},"type":"PERSONALIZED","personalization":{
                    "points":["notification_landing_recs"],"context":{"category":"Kettles","campaign":"spring-26"},
                    "link":"https://www.example.com/c/kitchen/kettles"}}
                    """#.utf8))
            #expect(await handler.opened(push, requestID: "n-1")?.event == .queued)
            await screen.updated()
            #expect(await screen.shown == ["open kitchen/kettles", "update from service"])
            _ = await shop.client.flush(within: 10_000)
            #expect(counts(server, await screen.decision) == [1, 0, 0, 0])

            await shop.client.networkChanged(isOnline: false)
            let context = DecisionContext(attributes: ["category": "Kettles", "campaign": "spring-26"])

            let cached = try await shop.client.cachedDecisions(["notification_landing_recs"], context: context)
            if let time = cached.receivedAt { print("last updated \(time)") }

            #expect(cached.source == .cache && cached["notification_landing_recs"]?.items.count == 2)
        }
    }

    @Test func `the default content of the page is shown without a connection`() async throws {
        try await withShop { shop, _, _ in
            try await shop.client.setConsent(.optedIn)
            await shop.client.networkChanged(isOnline: false)
            let fetched = try await shop.client.fetchDecisions(["home_hero"])
            #expect(fetched.source == .default && fetched["home_hero"]?.attributes["title"] == "Welcome")
        }
    }
}
