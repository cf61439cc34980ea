import EventDelivery
import Foundation
import Optimization
import PushDispatch
import Testing

struct OptimizationPageTests {
    @MainActor
    @Test func `client, delivery and model of the page fit`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("optimization-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let log: @Sendable (Any) -> Void = { _ in }

        let configuration = makeConfiguration()
        let client = OptimizationClient(transport: ClosureOptimizationTransport { _ in .init(status: 204) })
        try await client.initialize(configuration)
        await client.consent(true)
        let entry = ContentEntry(id: "hero", contentType: "hero", fields: [:])
        let resolution = client.personalizeEntry(baseline: entry)
        #expect(resolution.entry == entry)

        let model = OptimizedEntryModel(client, baseline: entry)
        model.moved(to: VisibleRatio.of(top: 20, height: 300, viewportHeight: 800))
        if !model.resolution.isEmptyVariant { log(model.resolution.entry) }
        model.tapped()
        model.removed()
        #expect(model.resolution.entry == entry)
    }

    private func makeConfiguration() -> OptimizationConfiguration {
        var configuration = OptimizationConfiguration(clientID: "client-1")
        configuration.app = OptimizationApp(name: "Shop", version: "4.2")
        return configuration
    }

    // These ask services, so they are compiled and not run.

    @MainActor
    private func choose(_ configuration: OptimizationConfiguration, _ entry: ContentEntry) async throws
        -> EntryResolution
    {
        let client = OptimizationClient()
        try await client.initialize(configuration)
        await client.consent(true)
        let resolution = client.personalizeEntry(baseline: entry)
        return resolution
    }

    @MainActor
    private func start(_ configuration: OptimizationConfiguration, _ folder: URL) async throws -> OptimizationClient {
        let client = OptimizationClient(
            storage: FileOptimizationStorage(file: folder.appendingPathComponent("optimization").path),
            eventStore: FileEventStore(file: folder.appendingPathComponent("events").path))
        try await client.initialize(configuration)
        await client.consent(true)
        try await client.identify(userID: "u-1001", traits: ["plan": "gold"])
        return client
    }

    @MainActor
    private func show(_ client: OptimizationClient, token: String, _ log: (Any) -> Void) async throws {
        let delivery = DeliveryClient(
            DeliveryConfiguration(space: "space-1", accessToken: token), cache: MemoryDeliveryCache())
        let fetched = try await delivery.entries(DeliveryQuery(contentType: "hero", locale: "en-US"))
        if let entry = fetched["hero"] {
            let resolution = client.personalizeEntry(baseline: entry)
            log("\(resolution.entry["title"]?.string ?? "") because \(resolution.reason)")
        }
    }

    private func fetch(_ token: String) async throws -> FetchedEntries {
        let delivery = DeliveryClient(DeliveryConfiguration(space: "space-1", accessToken: token))
        let fetched = try await delivery.entries(DeliveryQuery(contentType: "hero", locale: "en-US"))
        return fetched
    }
}
