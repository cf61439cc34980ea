import EventDelivery
import Foundation
import Personalization
import PushDispatch

/// What an app owns for a decision service: one for each process.
final class Shop: Sendable {
    let configuration: PersonalizationConfiguration
    let client: PersonalizationClient
    let reporter: EngagementReporter

    /// - Parameter folder: A private folder of the app, such as Application Support.
    init(endpoint: String, appSourceID: String, folder: URL) throws {
        var configuration = try PersonalizationConfiguration(
            endpoint: endpoint, appSourceID: appSourceID, app: AppDescription(name: "Shop", version: "4.2"))
        configuration.links.hosts = ["www.example.com"]
        self.configuration = configuration

        var decisions = DecisionConfiguration(endpoint: configuration.endpoint)
        decisions.defaults = ["home_hero": DefaultContent(attributes: ["title": "Welcome"])]

        let file = { (name: String) in folder.appendingPathComponent(name).path }
        let http = URLSessionDecisionTransport()
        let queue = EventQueue(
            store: FileEventStore(file: file("events")),
            destinations: [
                PersonalizationClient.destination(
                    configuration, transport: PersonalizationEventTransport(configuration, http: http))
            ],
            onReport: { report in print("events: \(report)") })
        client = PersonalizationClient(
            configuration: configuration, queue: queue,
            storage: FilePersonalizationStorage(file: file("personalization")),
            decisions: DecisionClient(decisions, transport: http, store: FileDecisionStore(file: file("decisions"))))
        reporter = EngagementReporter(client, onError: { error in print("not reported: \(error)") })
    }
}
