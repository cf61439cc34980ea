import APNSPayload
import EventDelivery
import Foundation
import Optimization
import PushDispatch
import Testing

@MainActor
struct OptimizationGuideTests {
    @Test func `the app of the guide starts, and asks a service that is not there`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("magazine-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        var configuration = OptimizationConfiguration(clientID: "client-1")
        configuration.app = OptimizationApp(name: "Magazine", version: "4.2")
        // For a development build: the simulated services.
        configuration.experienceBaseURL = "http://127.0.0.1:8447"
        configuration.insightsBaseURL = "http://127.0.0.1:8447"
        let entries = DeliveryConfiguration(
            baseURL: "http://127.0.0.1:8447", space: "space-1", accessToken: "token-1")

        // Nothing listens on this port.
        configuration.experienceBaseURL = "http://127.0.0.1:1"
        configuration.insightsBaseURL = "http://127.0.0.1:1"
        var nowhere = entries
        nowhere.baseURL = "http://127.0.0.1:1"
        let magazine = Magazine(configuration, nowhere, folder: folder)

        try await magazine.client.initialize(magazine.configuration)

        await magazine.client.consent(true)

        await magazine.client.setOnline(false)
        try await magazine.client.identify(userID: "u-1001", traits: ["plan": "gold"])

        // On log-out.
        magazine.client.reset()

        let userInfo: [AnyHashable: Any] = ["type": "ENTRY_UPDATE", "entryId": "hero"]
        let result = await magazine.dispatcher.handle(Push(userInfo: userInfo), from: .background)
        #expect(result == .failed && magazine.updates.pendingUpdates == [.entry("hero")])

        // In a background fetch of the system.
        let fetched = await magazine.updates.refreshPending()
        #expect(fetched == .failed)
    }

    @Test func `an entry update is built`() throws {
        let push = try EntryUpdatePush(EntryReference(.entry("hero"), locale: "en-US"))
        #expect(push.findings().isEmpty)
    }

    // These wait for entries, so they are compiled and not run.

    private func open(_ magazine: Magazine) async throws -> OptimizedEntryModel? {
        let fetched = try await magazine.delivery.entries(DeliveryQuery(contentType: "hero", locale: "en-US"))
        if case .cache(let age, _) = fetched.source { print("offline, \(age / 1_000) s old") }
        guard let entry = fetched["hero"] else { return nil }
        let model = OptimizedEntryModel(magazine.client, baseline: entry)
        return model
    }

    private func follow(_ magazine: Magazine, _ replace: (ContentEntry) -> Void) async {
        for await entry in magazine.updates.updates() { replace(entry) }
    }

    private func handler(_ client: OptimizationClient, _ delivery: DeliveryClient) -> PushDispatcher {
        let updates = EntryUpdateHandler(client, delivery: delivery, rules: EntryUpdateRules(locale: "en-US"))
        let dispatcher = PushDispatcher(routes: PushRoutes([updates.route]), pending: MemoryPendingStore())
        return dispatcher
    }
}
