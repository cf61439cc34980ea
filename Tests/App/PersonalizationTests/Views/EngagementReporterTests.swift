import EventDelivery
import Foundation
import PushDispatch
import Testing

@testable import Personalization

struct EngagementReporterTests {
    @Test func `a row reports appearances, taps and dismissals in their order, and follows links`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        let fetched = try await app.client.fetchDecisions(
            ["home"], context: DecisionContext(attributes: ["category": "Kettles"]))
        let errors = PersonalizationErrors()
        var reporter: EngagementReporter? = EngagementReporter(app.client, onError: { errors.add($0) })
        var row: RecommendationsModel? = RecommendationsModel(
            try #require(fetched["home"]), reporter: try #require(reporter), links: app.configuration.links)
        #expect(row?.count == 2)
        for index in [0, 1, 0, 7] { row?.appeared(at: index) }
        #expect(row?.tapped(at: 1) == .route(DeepLinkRoute(.product, "7300216")))
        #expect(row?.tapped(at: 7) == nil)
        row?.dismissed(at: 0)
        reporter?.tapped(EngagementContent(personalizationID: "", contentID: ""))
        // What waits is reported after its owner is gone.
        row = nil
        reporter = nil
        await errors.first()
        await app.flush()
        #expect(
            app.service.kinds == [
                "Opt In", "catalog-object-view-start", "catalog-object-view-start", "catalog-object-click",
                "catalog-object-dismiss",
            ])
        #expect(errors.codes == [.missingID])
    }

    @Test func `the app's own content is not reported`() async throws {
        let app = try TestApp()
        let reporter = EngagementReporter(app.client)
        let row = RecommendationsModel(
            DefaultContent(items: [["ssot__ProductSKU__c": "1"]]).decision(for: "home"), reporter: reporter)
        row.appeared(at: 0)
        #expect(row.content(at: 0) == nil && row.tapped(at: 0) == .route(DeepLinkRoute(.product, "1")))
        #expect(await app.queue.status(of: "personalization")?.kept == 0)
    }
}

/// Collects errors, and waits for the first.
///
/// `@unchecked Sendable` because the lock protects everything.
private final class PersonalizationErrors: @unchecked Sendable {
    private let lock = NSLock()
    private var errors: [PersonalizationError] = []
    private var waiting: CheckedContinuation<Void, Never>?

    func add(_ error: PersonalizationError) {
        let waiter = lock.withLock {
            errors.append(error)
            defer { waiting = nil }
            return waiting
        }
        waiter?.resume()
    }

    func first() async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                guard errors.isEmpty else { return true }
                waiting = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    var codes: [PersonalizationError.Code] { lock.withLock { errors.map(\.code) } }
}
