import APNSModel
import APNSProvider
import InMemoryTracing
import ProviderTracing
import Testing
import Tracing

struct PushProviderTracingTests {
    private struct Broken: Error {}

    private static func with(
        script: @escaping @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer,
        _ body: (PushProvider, InMemoryTracer) async throws -> Void
    ) async throws {
        let tracer = InMemoryTracer()
        try await ScriptedGateway.with(script: script) { _, configuration in
            var configuration = configuration
            configuration.tracing = PushTracing(tracer)
            let provider = try PushProvider(configuration)
            try await body(provider, tracer)
            await provider.close()
        }
    }

    @Test func `each send has a span, without the device token`() async throws {
        try await Self.with(script: { $0.number == 0 ? .accept : .refuse(.unregistered) }) { provider, tracer in
            _ = try await provider.send(TestNotifications.notification(1))
            _ = try await provider.send(TestNotifications.notification(2))
            await #expect(throws: APNSSendError.self) { _ = try await provider.send(TestNotifications.invalid()) }
            let spans = tracer.finishedSpans
            #expect(spans.map(\.operationName) == ["apns send", "apns send", "apns send"])
            #expect(spans.map { $0.status?.message } == [nil, "Unregistered", "invalid-notification"])
            #expect(tracer.activeSpans.isEmpty)
            let shown = spans.map { "\($0.attributes) \($0.events) \($0.errors)" }.joined()
            #expect(shown.contains("com.example.app") && !shown.contains("ab1000001"))
        }
    }

    @Test func `a broadcast has a span`() async throws {
        try await Self.with(script: { $0.number == 0 ? .accept : .refuse(.channelNotRegistered) }) { provider, tracer in
            let payload = #"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#
            let broadcast = APNSBroadcast(
                to: try ChannelID(parsing: "dHN0LXNyY2gtY2hubA=="), of: try Topic(parsing: "com.example.app"),
                expiration: .once, payload: Array(payload.utf8))
            _ = try await provider.send(broadcast)
            _ = try await provider.send(broadcast)
            let spans = tracer.finishedSpans
            #expect(spans.map(\.operationName) == ["apns send", "apns send"])
            #expect(spans.map { $0.status?.message } == [nil, "ChannelNotRegistered"])
            #expect(spans[0].attributes["messaging.destination.name"]?.toSpanAttribute() == .string("com.example.app"))
        }
    }

    @Test func `a bulk send has one span`() async throws {
        try await Self.with(script: { $0.number % 10 == 9 ? .refuse(.badDeviceToken) : .accept }) { provider, tracer in
            for try await _ in provider.send(all: Numbers(count: 100)) {}
            await provider.close()  // the event loop ends the span after it has woken the reader of the last result
            let span = try #require(tracer.finishedSpans.first)
            #expect(tracer.finishedSpans.count == 1 && tracer.activeSpans.isEmpty)
            #expect(span.operationName == "apns send all")
            #expect(span.attributes["apns.accepted"]?.toSpanAttribute() == .int64(90))
        }
    }

    @Test func `the span of a bulk send whose results are dropped ends too`() async throws {
        try await Self.with(script: { _ in .accept }) { provider, tracer in
            let source = Numbers(count: .max)
            _ = provider.send(all: source, window: 100)
            await source.wasReleased()
            await provider.close()
            #expect(tracer.activeSpans.isEmpty && tracer.finishedSpans.count == 1)
        }
    }
}
