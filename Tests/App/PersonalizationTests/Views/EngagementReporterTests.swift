import EventDelivery
import Foundation
import PushDispatch
import Testing

@testable import Personalization

@Suite(.timeLimit(.minutes(5)))
struct EngagementReporterTests {
    @Test func `a row reports appearances, taps and dismissals in their order, and follows links`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        let fetched = try await app.client.fetchDecisions(
            ["home"], context: DecisionContext(attributes: ["category": "Kettles"]))
        let errors = Received<PersonalizationError>()
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
        #expect(await errors.first()?.code == .missingID)
        await app.flush()
        #expect(
            app.service.kinds == [
                "Opt In", "catalog-object-view-start", "catalog-object-view-start", "catalog-object-click",
                "catalog-object-dismiss",
            ])
        #expect(errors.all.count == 1)
    }

    @Test func `the app's own content is not reported`() async throws {
        let app = try TestApp()
        let errors = Received<PersonalizationError>()
        let reporter = EngagementReporter(app.client, onError: { errors.add($0) })
        let row = RecommendationsModel(
            DefaultContent(items: [["ssot__ProductSKU__c": "1"]]).decision(for: "home"), reporter: reporter)
        row.appeared(at: 0)
        #expect(row.content(at: 0) == nil && row.tapped(at: 0) == .route(DeepLinkRoute(.product, "1")))
        // It reports one after the other, so nothing comes later.
        reporter.tapped(EngagementContent(personalizationID: "", contentID: ""))
        #expect(await errors.first()?.code == .missingID)
        #expect(await app.queue.status(of: "personalization")?.kept == 0)
    }
}
