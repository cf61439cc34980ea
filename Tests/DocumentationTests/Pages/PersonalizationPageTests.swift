import EventDelivery
import Foundation
import Personalization
import Testing

struct PersonalizationPageTests {
    @Test func `configuration, consent, identity, events, engagement and links of the pages fit`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("personal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let log: @Sendable (Any) -> Void = { _ in }

        var configuration = try PersonalizationConfiguration(
            endpoint: "https://shop.example.com", appSourceID: "3c6f3d0e-9f3a-4b43-8d3e-0c5a8a5b2c11",
            app: AppDescription(name: "Shop", version: "4.2"))
        configuration.tracksScreens = true
        configuration.links.hosts = ["www.example.com"]

        configuration.links.rules.insert(DeepLinkRule("offer", after: ["offers"], .name), at: 0)

        let client = try await makeClient(configuration, folder)
        // Nothing is sent from here on.
        await client.networkChanged(isOnline: false)

        try await client.setConsent(.optedIn)

        try await client.logIn(
            KnownPerson(userID: "u-1001", email: "kim@example.com", firstName: "Kim", lastName: "Lee"))

        try await client.logOut()

        try await client.track(.catalog(.viewDetail, id: "7300215", attributes: ["color": "copper"]))
        try await client.track(.cart(.add, items: [LineItem(id: "7300215", quantity: 2, price: 49.5, currency: "EUR")]))
        try await client.track(.custom("wishlist", attributes: ["size": 3]))

        let opened = try await client.pushOpenedHandler(
            store: FileDecisionStore(file: folder.appendingPathComponent("opened").path),
            navigate: { _, route in log("show \(route?.value ?? "the start")") },
            show: { _, result in log("update with \(result)") })
        #expect(opened.rules.type == "PERSONALIZED")

        func show() async throws {
            let fetched = try await client.fetchDecisions(["home_recommendations"])
            let decision = fetched["home_recommendations"]
            if let decision, let content = decision.engagement(withItem: 0) {
                try await client.appeared(content)
                try await client.tapped(content)
            }

            if let decision, let outcome = configuration.links.outcome(ofItem: { decision.items.first?[$0] }) {
                switch outcome {
                case .route(let route): try await client.followed(route, from: decision.engagement(withItem: 0))
                case .outside: log("open it in a browser, if at all")
                case .refused(let refusal): log("not followed: \(refusal)")
                }
            }
        }
        let error = await #expect(throws: DecisionError.self) { try await show() }
        #expect(error?.code == .network)
    }

    private func makeClient(
        _ configuration: PersonalizationConfiguration, _ folder: URL
    ) async throws -> PersonalizationClient {
        let http = URLSessionDecisionTransport()
        let queue = EventQueue(
            store: FileEventStore(file: folder.appendingPathComponent("events").path),
            destinations: [
                PersonalizationClient.destination(
                    configuration, transport: PersonalizationEventTransport(configuration, http: http))
            ])
        let client = PersonalizationClient(
            configuration: configuration, queue: queue,
            storage: FilePersonalizationStorage(file: folder.appendingPathComponent("personalization").path),
            decisions: DecisionClient(
                DecisionConfiguration(endpoint: configuration.endpoint), transport: http,
                store: FileDecisionStore(file: folder.appendingPathComponent("decisions").path)))
        try await client.start()
        return client
    }

    @Test func `the code of the comments fits`() async throws {
        let links = DeepLinkRules(hosts: ["www.example.com"])
        let outcome = links.outcome(of: "https://www.example.com/p/copper-kettle-7300215.html")
        #expect(outcome.route == DeepLinkRoute(.product, "7300215"))

        let configuration = try PersonalizationConfiguration(
            endpoint: "https://shop.example.com", appSourceID: "3c6f3d0e-9f3a-4b43-8d3e-0c5a8a5b2c11",
            app: AppDescription(name: "Shop", version: "4.2"))
        let transport = ClosureTransport { _ in .noAnswer }
        let queue = EventQueue(
            store: MemoryEventStore(),
            destinations: [PersonalizationClient.destination(configuration, transport: transport)])
        let storage = MemoryPersonalizationStorage()

        let client = PersonalizationClient(configuration: configuration, queue: queue, storage: storage)
        try await client.start()

        let log: @Sendable (Any) -> Void = { _ in }

        let reporter = EngagementReporter(client, onError: { error in log(error) })

        reporter.appeared(nil)
        #expect(try await client.identity().userID == nil)
    }
}
