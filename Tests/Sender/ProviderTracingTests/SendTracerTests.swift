import InMemoryTracing
import Testing
import Tracing

@testable import ProviderTracing

struct SendTracerTests {
    private struct Broken: Error {}

    private static func span(_ body: (SendTracer) -> Void) throws -> FinishedInMemorySpan {
        let tracer = InMemoryTracer()
        body(try #require(SendTracer(PushTracing(tracer), host: "localhost", port: 2197)))
        #expect(tracer.activeSpans.isEmpty)
        return try #require(tracer.finishedSpans.first)
    }

    private static func texts(_ span: FinishedInMemorySpan) -> [String: String] {
        var texts: [String: String] = [:]
        span.attributes.forEach { key, value in
            switch value {
            case .string(let text): texts[key] = text
            case .int64(let number): texts[key] = "\(number)"
            case .int32(let number): texts[key] = "\(number)"
            default: texts[key] = "?"
            }
        }
        return texts
    }

    @Test func `without a tracer there are no spans`() {
        #expect(SendTracer(.none, host: "localhost", port: 443) == nil)
        #expect(SendTracer(PushTracing(), host: "localhost", port: 443) == nil)
    }

    @Test func `a span shows the notification and its refusal`() throws {
        let span = try Self.span { tracer in
            tracer.start(
                "apns send",
                SendSpan.Notification(topic: "com.example.app", pushType: "alert", priority: 10, apnsID: nil)
            ).end(SendSpan.Result(outcome: "refused", apnsID: "ID", status: 410, reason: "Unregistered"))
        }
        #expect(span.operationName == "apns send" && span.kind == .client)
        #expect(span.status?.code == .error)
        #expect(
            Self.texts(span) == [
                "messaging.system": "apns", "messaging.operation.type": "send", "server.address": "localhost",
                "server.port": "2197", "messaging.destination.name": "com.example.app", "apns.push_type": "alert",
                "apns.priority": "10", "apns.outcome": "refused", "messaging.message.id": "ID",
                "http.response.status_code": "410", "error.type": "Unregistered",
            ])
    }

    @Test func `an accepted notification is no error`() throws {
        let span = try Self.span { tracer in
            tracer.start(
                "apns send",
                SendSpan.Notification(topic: "com.example.app", pushType: "background", priority: nil, apnsID: "ID")
            ).end(SendSpan.Result(outcome: "accepted", apnsID: "ID", status: 200))
        }
        #expect(span.status == nil && span.errors.isEmpty)
        #expect(Self.texts(span)["messaging.message.id"] == "ID")
    }

    @Test func `the span of a bulk send has the counts and the error of the source`() throws {
        let span = try Self.span { tracer in
            tracer.start("apns send all", nil).end(counts: ["accepted": 3, "refused": 1], error: Broken())
        }
        let texts = Self.texts(span)
        #expect(texts["messaging.batch.message_count"] == "4")
        #expect(texts["apns.accepted"] == "3" && texts["apns.refused"] == "1")
        #expect(span.errors.count == 1 && span.status?.code == .error)
    }
}
