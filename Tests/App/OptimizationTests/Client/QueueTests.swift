import EventDelivery
import Foundation
import PushDispatch
import Testing

@testable import Optimization

/// docs/reference/personalization.md 10 to 12.
@MainActor
struct QueueTests {
    private let hero = TrackedEntry(componentID: "hero", experienceID: "exp-1", variantIndex: 1)

    private func view(_ id: String = "v", _ entry: TrackedEntry? = nil) -> ViewPayload {
        ViewPayload(entry ?? hero, viewID: id, viewDurationMilliseconds: 2_000)
    }

    @Test func `an event is sent at once, and its reply is the state`() async throws {
        let app = try await TestApp.started { $0.locale = "de-DE" }
        app.services.select([.init("exp-1", 1)], changes: [OptimizationChange(key: "flag", value: true)])
        try await app.client.identify(userID: "u-1", traits: ["plan": "gold"])
        let request = try #require(app.services.profileRequests.first)
        #expect(
            request.url.absoluteString
                == "https://experience.ninetailed.co/v2/organizations/client-1/environments/master/profiles?locale=de-DE"
        )
        #expect(request.method == "POST" && request.headers["Content-Type"] == "text/plain")
        #expect(
            TestServices.json(request)?.object?["options"] == ["features": ["ip-enrichment", "location"]])
        let event = try #require(app.services.profileEvents.first)
        #expect(event["type"] == "identify" && event["userId"] == "u-1" && event["traits"] == ["plan": "gold"])
        #expect(event["channel"] == "mobile" && event["messageId"] == "00000000-0000-4000-8000-000000000001")
        let time = JSONValue.string("\(app.clock.time())")
        #expect(event["originalTimestamp"] == time && event["sentAt"] == time && event["timestamp"] == time)
        let context = try #require(event["context"]?.object)
        #expect(context["app"] == ["name": "Shop", "version": "1.0"] && context["locale"] == "de-DE")
        #expect(context["gdpr"] == ["isConsentGiven": true] && context["campaign"] == [:])
        #expect(app.client.state.profile?.id == "p1" && app.client.state.canPersonalize)
        #expect(app.client.flag("flag") == true && app.client.selectedPersonalizations == [.init("exp-1", 1)])
        // Later events belong to the profile.
        try await app.client.screen("Home", properties: ["tab": 2])
        #expect(app.services.profileRequests.last?.url.path.hasSuffix("/profiles/p1") == true)
        let screen = try #require(app.services.profileEvents.last)
        #expect(screen["name"] == "Home" && screen["properties"] == ["name": "Home", "tab": 2])
        #expect(screen["context"]?.object?["screen"] == ["name": "Home"])
    }

    @Test func `101 events offline: the oldest is dropped and reported, the others are one request`() async throws {
        let app = try await TestApp.started()
        await app.client.setOnline(false)
        for number in 1...101 { try await app.client.track("event-\(number)") }
        #expect(app.reports.dropped.map(\.reason) == [.queueFull] && app.reports.dropped.first?.kind == "track")
        #expect(await app.client.queuedEvents().profile == 100 && app.services.requests.isEmpty)
        // A repeated "offline" does nothing; coming back sends.
        await app.client.setOnline(false)
        await app.client.setOnline(true)
        await eventually { await app.client.queuedEvents().profile == 0 }
        #expect(app.services.profileRequests.count == 1)
        #expect(app.services.profileEvents.map { $0["event"] } == (2...101).map { .string("event-\($0)") })
        await app.client.setOnline(true)
        #expect(app.services.requests.count == 1)
    }

    @Test func `views and taps wait for 25, for 30 seconds or for a flush`() async throws {
        let app = try await TestApp.started()
        try await app.client.identify(userID: "u")
        for number in 1...24 { try await app.client.trackView(view("v\(number)")) }
        #expect(app.services.analyticsRequests.isEmpty)
        try await app.client.trackClick(ClickPayload(hero))
        await eventually { app.services.analyticsRequests.count == 1 }
        #expect(
            app.services.analyticsEvents.count == 25 && app.services.analyticsEvents.allSatisfy { $0.profile == "p1" })
        let request = try #require(app.services.analyticsRequests.first)
        #expect(
            request.url.absoluteString
                == "https://ingest.insights.ninetailed.co/v1/organizations/client-1/environments/master/events")
        let event = try #require(app.services.analyticsEvents.first?.event)
        #expect(event["type"] == "component" && event["componentType"] == "Entry" && event["componentId"] == "hero")
        #expect(event["experienceId"] == "exp-1" && event["variantIndex"] == 1 && event["viewId"] == "v1")
        #expect(event["viewDurationMs"] == 2_000)
        let tap = try #require(app.services.analyticsEvents.last?.event)
        #expect(tap["type"] == "component_click" && tap["viewId"] == nil)

        await eventually { await app.client.queuedEvents().analytics == 0 }
        try await app.client.trackView(view())
        await eventually { app.clock.alarms.contains(app.clock.now().advanced(byMilliseconds: 30_000)) }
        await app.advance(29_999) { true }
        #expect(app.services.analyticsRequests.count == 1)
        await app.advance(1) { app.services.analyticsRequests.count == 2 }
        await eventually { await app.client.queuedEvents().analytics == 0 }
        try await app.client.trackView(view())
        #expect(try await app.client.flush().end == .complete && app.services.analyticsRequests.count == 3)
    }

    @Test func `a view without a profile is dropped with a warning`() async throws {
        let app = try await TestApp.started()
        #expect(try await app.client.trackView(view()) == .withoutProfile)
        #expect(app.reports.all == [.droppedWithoutProfile(method: "trackView")])
        // A view of a sticky entry makes a profile.
        var sticky = hero
        sticky.isSticky = true
        #expect(try await app.client.trackView(view("v", sticky)) == .queued)
        await eventually { app.client.state.profile != nil }
        #expect(app.services.profileEvents.map { $0["type"] } == ["component"])
        try await app.client.trackView(view("v", sticky))
        try await app.client.flush()
        #expect(app.services.profileEvents.count == 2 && app.services.analyticsEvents.count == 1)
    }

    @Test func `503 is repeated once and at once, nothing else is`() async throws {
        let app = try await TestApp.started()
        app.services.script(.status(503))
        try await app.client.screen("Home")
        #expect(app.services.profileRequests.count == 2 && app.client.state.profile != nil)
        #expect(app.services.profileEvents.map { $0["messageId"] }.count == 2)
        for answer in [TestServices.Answer.status(500), .status(400), .status(429), .failure(.timeout)] {
            let app = try await TestApp.started()
            app.services.script(answer)
            try await app.client.screen("Home")
            #expect(app.services.profileRequests.count == 1 && app.client.state.profile == nil)
            // It is removed after success only.
            #expect(await app.client.queuedEvents().profile == 1)
            #expect(app.reports.retries == [500])
        }
        let twice = try await TestApp.started()
        twice.services.script(.status(503), .status(503))
        try await twice.client.screen("Home")
        #expect(twice.services.profileRequests.count == 2 && twice.reports.retries == [500])
    }

    @Test func `the back-off doubles from 500 ms, and the circuit opens after 8 failures`() async throws {
        let app = try await TestApp.started()
        app.services.answerAlways(.status(500, body: #"{"error":{"code":"ERR_INTERNAL_SERVER_ERROR"}}"#))
        try await app.client.screen("Home")
        for number in 2...8 {
            await eventually { app.reports.retries.count == number - 1 }
            let wait = try #require(app.reports.retries.last)
            await eventually { app.clock.alarms.contains(app.clock.now().advanced(byMilliseconds: wait)) }
            app.clock.advance(milliseconds: wait)
        }
        await eventually { app.reports.retries.count == 8 }
        #expect(app.reports.retries.prefix(7) == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000])
        #expect(
            app.reports.all.contains(
                .queue(.circuitOpened(destination: OptimizationCore.profileQueue, milliseconds: 120_000))))
        #expect(app.reports.all.contains(.profileReply(status: 500, "ERR_INTERNAL_SERVER_ERROR")))
        // A forced flush passes by the circuit.
        #expect(app.services.profileRequests.count == 8)
        app.services.answerAlways(nil)
        #expect(try await app.client.flush().end == .failed)
        #expect(try await app.client.flush(isForced: true).end == .complete)
        #expect(app.services.profileRequests.count == 9 && app.client.state.profile != nil)
    }

    @Test func `jitter adds a fifth at most`() async throws {
        let app = try await TestApp.started()
        #expect(app.configuration.profileQueue.backOff.jitter == 0.2)
        #expect(app.configuration.profileQueue.backOff.maximumMilliseconds == 30_000)
        #expect(app.configuration.profileQueue.circuit == Circuit())
    }

    @Test func `a reply that cannot be used is reported, and the event counts as delivered`() async throws {
        let app = try await TestApp.started()
        app.services.script(.status(200, body: "<html>"))
        try await app.client.screen("Home")
        #expect(await app.client.queuedEvents().profile == 0 && app.client.state.profile == nil)
        guard
            case .profileReply(200, let detail)? = app.reports.all.first(where: {
                if case .profileReply = $0 { true } else { false }
            })
        else {
            Issue.record("nothing was reported")
            return
        }
        #expect(detail.contains("not JSON"))
    }

    @Test func `in memory the end of the process loses events, with a kept store it does not`() async throws {
        let app = try await TestApp.started()
        await app.client.setOnline(false)
        try await app.client.screen("Home")
        app.restart()
        try await app.client.initialize(app.configuration)
        #expect(await app.client.queuedEvents().profile == 0 && app.services.requests.isEmpty)
        await app.client.setOnline(false)
        try await app.client.screen("Second")
        app.restart(keepsEvents: true)
        try await app.client.initialize(app.configuration)
        await eventually { app.services.profileRequests.count == 1 }
        #expect(app.services.profileEvents.map { $0["name"] } == ["Second"])
    }

    @Test func `what was done before a reset goes to the former profile`() async throws {
        let app = try await TestApp.started()
        try await app.client.identify(userID: "first")
        await app.client.setOnline(false)
        try await app.client.track("before")
        app.client.reset()
        try await app.client.identify(userID: "second")
        await app.client.setOnline(true)
        await eventually { await app.client.queuedEvents().profile == 0 }
        #expect(app.services.profileRequests.map(\.url.lastPathComponent) == ["profiles", "p1", "profiles"])
        #expect(app.services.profileEvents.compactMap { $0["event"] ?? $0["userId"] } == ["first", "before", "second"])
        #expect(app.client.state.profile?.id == "p2")
    }

    @Test func `the answer to a request before a reset changes nothing after it`() async throws {
        let app = try await TestApp.started()
        app.services.hold()
        let client = app.client
        let identifying = Task { try await client.identify(userID: "first") }
        await eventually { app.services.profileRequests.count == 1 }
        client.reset()
        app.services.release()
        _ = try await identifying.value
        #expect(client.state.profile == nil && client.selectedPersonalizations == nil)
        try await client.identify(userID: "second")
        #expect(client.state.profile?.id == "p2")
    }

    @Test func `events have the order of the calls`() async throws {
        let app = try await TestApp.started()
        await app.client.setOnline(false)
        let client = app.client
        let tasks = (0..<20).map { number in Task { try await client.track("event-\(number)") } }
        for task in tasks { _ = try await task.value }
        await client.setOnline(true)
        await eventually { await client.queuedEvents().profile == 0 }
        #expect(app.services.profileEvents.map { $0["event"] } == (0..<20).map { .string("event-\($0)") })
    }
}
