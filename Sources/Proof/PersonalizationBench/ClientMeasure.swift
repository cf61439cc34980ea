import EventDelivery
import EventDeliverySQLite
import Foundation
import Personalization
import PersonalizationSimulator
import ServiceHost
import Synchronization

/// What the app library `Personalization` costs an app.
enum ClientMeasure {
    private static let events = 100_000
    private static let points = ["home_hero", "home_recommendations"]

    /// How long a fetch takes that the cache answers, because there is no network.
    @Sendable static func cached() async throws {
        try await withFolder { folder in
            let world = Mutex(ServiceWorld(Bench.configuration, clock: .manual(at: 1_778_231_730_120)))
            let transport = ClosureDecisionTransport { request in
                let call = ServiceRequest(
                    "POST", request.url.path, headers: ["content-type": request.contentType], body: request.body)
                let answer = world.withLock { $0.answer(call, real: 1_778_231_730_120).response }
                return DecisionHTTPReply(status: answer.status, body: answer.body)
            }
            let configuration = try PersonalizationConfiguration(
                endpoint: "http://127.0.0.1:1", appSourceID: Bench.configuration.appSourceID,
                app: AppDescription(name: "Bench", version: "1"))
            let file = { (name: String) in folder.appendingPathComponent(name).path }
            let client = PersonalizationClient(
                configuration: configuration, queue: queue(configuration, transport, file("events")),
                storage: FilePersonalizationStorage(file: file("personalization")),
                decisions: DecisionClient(
                    DecisionConfiguration(endpoint: configuration.endpoint), transport: transport,
                    store: FileDecisionStore(file: file("decisions"))))
            try await client.setConsent(.optedIn)
            try await client.logIn(KnownPerson(userID: "u-1001", email: "kim@example.com"))
            let first = try await client.fetchDecisions(points)
            await client.networkChanged(isOnline: false)
            guard first.source == .service else { throw NetworkMeasure.Failure(what: "the service did not answer") }
            let count = 20_000
            for _ in 0..<200 { _ = try await client.fetchDecisions(points) }
            let start = Bench.nanoseconds()
            for _ in 0..<count {
                let fetched = try await client.fetchDecisions(points)
                guard fetched.source == .cache, fetched.decisions.count == points.count else {
                    throw NetworkMeasure.Failure(what: "the cache did not answer: \(fetched.source)")
                }
            }
            let microseconds = Double(Bench.nanoseconds() - start) / 1_000 / Double(count)
            Bench.printUse("a decision from the cache", microseconds, "us", limit: 100)
        }
    }

    /// How fast a queue of 100,000 events is sent to a service in another process, and how much memory that needs.
    static func flush(url: String, source: String) async throws {
        try await withFolder { folder in
            let configuration = try PersonalizationConfiguration(
                endpoint: url, appSourceID: source, app: AppDescription(name: "Bench", version: "1"))
            let file = folder.appendingPathComponent("events").path
            try fill(SQLiteEventStore(file: file), configuration.destination)
            let before = Bench.memory("VmRSS:")
            let queue = queue(configuration, URLSessionDecisionTransport(), file)
            try await queue.resume()
            let start = (wall: Bench.nanoseconds(), processor: Bench.processorSeconds())
            let report = await queue.flush(within: 600_000)
            let seconds = Double(Bench.nanoseconds() - start.wall) / 1_000_000_000
            guard report.delivered == events, report.end == .complete else {
                throw NetworkMeasure.Failure(what: "the flush ended with \(report)")
            }
            Bench.print("flush, over HTTP", Double(events) / seconds, "events/s", limit: 20_000)
            let processor = (Bench.processorSeconds() - start.processor) / Double(events) * 1_000_000
            Bench.printUse("processor time of the app for an event", processor, "us", limit: nil)
            Bench.printUse("memory of 100,000 events, over HTTP", Bench.memory("VmHWM:") - before, "MiB", limit: 32)
        }
    }

    private static func queue(
        _ configuration: PersonalizationConfiguration, _ http: any DecisionTransport, _ file: String
    ) -> EventQueue {
        var configuration = configuration
        configuration.delivery.limits.maximumEvents = 200_000
        configuration.delivery.limits.maximumBytes = 256 << 20
        configuration.delivery.flush.atStart = false
        return EventQueue(
            store: SQLiteEventStore(file: file),
            destinations: [
                PersonalizationClient.destination(
                    configuration, transport: PersonalizationEventTransport(configuration, http: http))
            ])
    }

    private static func fill(_ store: any EventStore, _ destination: DestinationName) throws {
        _ = try store.load()
        var sequence: Int64 = 0
        for _ in 0..<(events / 1_000) {
            var changes = StoreChanges()
            for _ in 0..<1_000 {
                sequence += 1
                let stamp = EventStamp(id: EventID(), time: .now())
                let body = """
                    {"eventId":"\(stamp.id)","dateTime":"\(stamp.time)","deviceId":"device-1","sessionId":"b7a1c4d2e9f04411",\
                    "category":"Engagement","channel":"mobile","eventType":"catalog","type":"Product","id":"7300215",\
                    "interactionName":"catalog-object-view-start"}
                    """
                changes.append.append(
                    StoredEvent(
                        sequence: sequence,
                        event: CapturedEvent(stamp, kind: "catalog", to: destination, body: Array(body.utf8))))
            }
            try store.commit(changes)
        }
    }

    private static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}
