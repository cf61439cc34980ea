import Foundation
@testable import PersonalizationSimulator
import PushDispatch
@testable import ServiceHost
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Server-sent events of all that happens.
@Suite(.timeLimit(.minutes(10))) struct EventStreamTests {
    /// Follows the events of a state until one has this name, and returns the names and values so far.
    private func events(
        of stream: ServiceStream, until last: String
    ) async throws -> [(name: String, value: JSONValue)] {
        var all: [(name: String, value: JSONValue)] = []
        for await bytes in stream.events {
            stream.onWritten(bytes.count)
            for block in String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n\n") {
                let lines = block.split(separator: "\n")
                guard lines.count == 2, lines[0].hasPrefix("event: "), lines[1].hasPrefix("data: ") else { continue }
                let value = try JSONReader.read(
                    Array(lines[1].dropFirst(6).utf8),
                    limits: JSONLimits(maximumBytes: 1 << 24, maximumDepth: 32, maximumValues: 100_000))
                all.append((String(lines[0].dropFirst(7)), value))
            }
            if all.contains(where: { $0.name == last }) { return all }
        }
        return all
    }

    private let ask = Array(
        #"{"context":{"individualId":"d-1"},"personalizationPoints":[{"name":"recs"}]}"#.utf8)

    private func decide(_ state: ServiceState) {
        let headers = ["content-type": "application/json"]
        _ = state.answer(ServiceRequest("POST", "/personalization/decisions", headers: headers, body: ask))
    }

    private func send(_ event: [String: JSONValue], _ state: ServiceState) {
        let batch: JSONValue = ["events": [.object(event)]]
        let (source, bearer) = state.read { ($0.source, $0.bearer) }
        let answer = state.answer(
            ServiceRequest(
                "POST", "/server/events/\(source)",
                headers: bearer.merging(["content-type": "application/json"]) { $1 }, body: batch.compactBytes))
        #expect(answer.response.status == 204)
    }

    @Test func `a decision, its engagement and the join of people come as events`() async throws {
        let state = try ServiceState(world(shop), nil)
        let stream = try #require(state.subscribe())
        decide(state)
        let first = try await events(of: stream, until: "state")
        #expect(first.map(\.name) == ["decision", "state"])
        let decision = try #require(first.first?.value)
        #expect(decision["point"] == "recs" && decision["clicks"] == 0 && first[1].value["credits"] == 1)

        send(engagement(1, "Click", ["personalizationId": decision["personalization-id"]]), state)
        let second = try await events(of: stream, until: "state")
        #expect(second.map(\.name) == ["decision", "individual", "event", "state"])
        #expect(second[0].value["clicks"] == 1 && second[1].value["id"] == "d-1")
        #expect(second[2].value["eventId"] == .string(eventID(1)))

        send(logIn(2, user: "u-1001"), state)
        let third = try await events(of: stream, until: "state")
        #expect(Set(third.map(\.name)) == ["individual", "individual-joined", "event", "state"])
        #expect(third.first { $0.name == "individual-joined" }?.value["id"] == "d-1")

        _ = state.answer(ServiceRequest("POST", "/api/reset"))
        #expect(try await events(of: stream, until: "state").map(\.name) == ["reset", "state"])
        stream.onEnd()
        #expect(state.read { $0.streams } == 0)
    }

    @Test func `nobody who follows costs nothing, and reading sends nothing`() async throws {
        let state = try ServiceState(world(shop), nil)
        decide(state)
        let stream = try #require(state.subscribe())
        _ = state.answer(ServiceRequest("GET", "/api/decisions"))
        _ = state.answer(ServiceRequest("POST", "/api/clock/advance", body: Array(#"{"by":"1s"}"#.utf8)))
        let events = try await events(of: stream, until: "state")
        #expect(events.map(\.name) == ["state"], "what was before is not sent")
        stream.onEnd()
    }

    @Test func `at most 100 clients follow, and one that leaves makes room`() throws {
        let state = try ServiceState(world(shop), nil)
        let streams = (0..<ServiceLimits.subscribers).compactMap { _ in state.subscribe() }
        #expect(streams.count == ServiceLimits.subscribers && state.subscribe() == nil)
        streams[0].onEnd()
        let another = try #require(state.subscribe())
        for stream in streams + [another] { stream.onEnd() }
        #expect(state.read { $0.streams } == 0)
    }

    @Test func `a client that does not read is disconnected`() async throws {
        let state = try ServiceState(world(shop), nil)
        let stream = try #require(state.subscribe())
        let long = String(repeating: "x", count: 60_000)
        for number in 0..<150 { send(event(number, "own", ["long": .string(long)]), state) }
        var bytes = 0
        for await event in stream.events { bytes += event.count }
        #expect(bytes <= ServiceLimits.waitingBytes, "the stream ended by itself")
        stream.onEnd()
    }

    @Test func `the connection of a client that does not read is closed`() async throws {
        let state = try ServiceState(world(shop), nil)
        let responder = WorldResponder(
            state: state,
            controlGuard: ControlGuard(host: "127.0.0.1", token: nil, pages: .own, service: "the service"),
            needsToken: false, onRequest: { _ in })
        let (begins, began) = AsyncStream.makeStream(of: Void.self)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let port = try await ServicePort.open(.init(maximumBodyBytes: 1_000), name: "test") { call in
            guard case .stream(var stream) = try await responder.answer(call) else { return .close }
            stream.onEnd = { [end = stream.onEnd] in
                end()
                ended.finish()
            }
            began.finish()
            return .stream(stream)
        }
        let client = try SilentClient(port: port.port)
        try client.write("GET /api/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        for await _ in begins {}
        // More than the system keeps for the connection, and what may wait, together.
        let long = String(repeating: "x", count: 60_000)
        for number in 0..<600 where state.read({ $0.streams }) == 1 {
            send(event(number, "own", ["long": .string(long)]), state)
        }
        for await _ in ends {}
        #expect(state.read { $0.streams } == 0)
        withExtendedLifetime(client) {}
        await port.stop()
    }

    @Test func `the stream goes over HTTP to whoever accepts it`() async throws {
        let server = try await ServiceServer.start(world(shop), ServiceServer.Options())
        let url = try #require(URL(string: server.url + "/api/events"))
        let session = URLSession(configuration: .ephemeral)
        let reading = StreamReader()
        let task = reading.start(url)
        await reading.wait(for: ": connected")
        var request = URLRequest(url: try #require(URL(string: server.url + "/personalization/decisions")))
        request.httpMethod = "POST"
        request.httpBody = Data(ask)
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        _ = try await session.data(for: request)
        await reading.wait(for: "event: decision")
        let (list, _) = try await session.data(for: URLRequest(url: url))
        #expect(String(decoding: list, as: UTF8.self).hasPrefix("{"), "without the header it is the list")
        task.cancel()
        session.invalidateAndCancel()
        await server.stop()
    }
}
