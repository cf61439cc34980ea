import EventDelivery
import EventDeliverySQLite
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct ShopTransport: EventTransport {
    let address: URL
    let send: @Sendable (URLRequest) async throws -> (status: Int, retryAfterSeconds: Int64?)

    func send(_ batch: EventBatch) async -> TransportAnswer {
        var request = URLRequest(url: address)
        request.httpMethod = "POST"
        request.setValue(batch.contentType, forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(batch.body)
        guard let answer = try? await send(request) else { return .noAnswer }
        // A service can ask for any number.
        let seconds = answer.retryAfterSeconds.map { min(max(0, $0), 86_400) }
        return .status(answer.status, retryAfterMilliseconds: seconds.map { $0 * 1_000 })
    }
}

struct EventsPageTests {
    @Test func `policies, queue, capture, consent and flush of the page fit`() async throws {
        var policy = DestinationPolicy()
        policy.form = .form(field: "event", key: "events")
        policy.answers = AnswerRules([
            (200...299, .delivered), (400...400, .refused), (401...401, .renewCredentials),
            (503...503, .retryLater(milliseconds: 30_000)),
        ])
        policy.limits.maximumEvents = 5_000

        let log: @Sendable (Any) -> Void = { _ in }
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = ShopTransport(address: try #require(URL(string: "https://shop.example.com/events"))) { _ in
            (204, nil)
        }
        let queue = EventQueue(
            store: FileEventStore(file: folder.appendingPathComponent("events").path),
            destinations: [EventDestination("shop", policy: policy, transport: transport)],
            onReport: { report in log(report) })
        try await queue.resume()

        let stamp = queue.stamp()
        let body = #"{"eventId":"\#(stamp.id)","dateTime":"\#(stamp.time)","eventType":"screen","screenName":"Home"}"#
        try await queue.capture(
            CapturedEvent(stamp, kind: "screen", to: "shop", purpose: "analytics", body: Array(body.utf8)))

        let login = queue.stamp()
        let identity =
            #"{"eventId":"\#(login.id)","dateTime":"\#(login.time)","eventType":"identity","userId":"u-1001"}"#
        try await queue.capture(
            CapturedEvent(
                login, kind: "identity", to: "shop", purpose: "analytics", priority: .high, holdsOrder: true,
                body: Array(identity.utf8)))
        #expect(await queue.status(of: "shop")?.kept == 2)

        let answer = queue.stamp()
        let record =
            #"{"eventId":"\#(answer.id)","dateTime":"\#(answer.time)","eventType":"consentLog","status":"Opt Out"}"#
        try await queue.setConsent(
            .optedOut, for: "analytics",
            record: CapturedEvent(answer, kind: "consentLog", to: "shop", body: Array(record.utf8)))

        await queue.networkChanged(isOnline: true)
        let report = await queue.willEnterBackground(within: 5_000)
        if report.end != .complete { log("\(report.kept) events are sent later") }

        let ledger = await queue.status(of: "shop")?.ledger
        #expect(ledger?.delivered == 1 && ledger?.dropped == ["opted-out": 2])
    }

    @Test func `the policy of a profile service is what the page says`() {
        var profile = DestinationPolicy()
        profile.form = .json(key: "events", members: #""options":{"features":["location"]}"#, contentType: "text/plain")
        profile.limits.maximumEvents = 100
        profile.limits.overflow = .dropOldest
        profile.flush.count = 1
        profile.batch.mixesGroups = false
        profile.whilePending = .refuse
        profile.answers = AnswerRules([(200...299, .delivered), (503...503, .retryAtOnce(times: 1))])
        #expect(profile.answers.meaning(of: 503) == .retryAtOnce(times: 1))
    }

    @Test func `the queues of the comments are created`() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = ClosureTransport { _ in .noAnswer }
        func file() {
            let queue = EventQueue(
                store: FileEventStore(file: folder.appendingPathComponent("events").path),
                destinations: [EventDestination("shop", transport: transport)])
            _ = queue
        }
        func sqlite() {
            let queue = EventQueue(
                store: SQLiteEventStore(file: folder.appendingPathComponent("events.sqlite").path),
                destinations: [EventDestination("shop", transport: transport)])
            _ = queue
        }
        file()
        sqlite()
    }

    private func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("events-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
