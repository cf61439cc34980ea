import Hummingbird
import HummingbirdCore
import NIOCore

/// Passes HTTP/1.1 requests to the world and writes its answers.
struct ServiceResponder: Sendable {
    let state: ServiceState
    let controlGuard: ServiceControlGuard
    let onRequest: @Sendable (ServiceServer.Entry) -> Void

    func respond(
        to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let (call, isWhole) = try await read(request)
        let outcome = answer(call)
        onRequest(
            ServiceServer.Entry(
                method: call.method, path: call.path, status: outcome.response.status, delivery: outcome.delivery))
        if outcome.delay > 0 { try await Task.sleep(for: .milliseconds(outcome.delay)) }
        switch outcome.delivery {
        case .answered: try await write(outcome.response, writer, channel, closes: !isWhole)
        case .lost: try? await channel.close().get()
        // Longer than any client waits. It ends when the server stops.
        case .silent:
            try? await Task.sleep(for: .seconds(600))
            try? await channel.close().get()
        }
    }

    private func answer(_ call: ServiceRequest) -> ServiceWorld.Outcome {
        if let problem = controlGuard.problem(with: call) { return ServiceWorld.Outcome(problem.response) }
        guard call.method == "GET", call.path == "/" else { return state.answer(call) }
        return ServiceWorld.Outcome(InspectorPage.response)
    }

    /// - Returns: Whether the body is complete. Of a body that is too long, enough is kept for the world to refuse it.
    private func read(_ request: Request) async throws -> (ServiceRequest, isWhole: Bool) {
        let target = request.head.path ?? "/"
        let question = target.firstIndex(of: "?")
        var call = ServiceRequest(
            request.method.rawValue, String(target[..<(question ?? target.endIndex)]),
            query: question.map { String(target[target.index(after: $0)...]) } ?? "")
        for field in request.headers { call.headers[field.name.canonicalName] = field.value }
        call.headers["host"] = request.head.authority
        for try await var part in request.body {
            call.body += part.readBytes(length: part.readableBytes) ?? []
            if call.body.count > ServiceLimits.body { return (call, false) }
        }
        return (call, true)
    }

    private func write(
        _ response: ServiceResponse, _ writer: consuming ResponseWriter, _ channel: any Channel, closes: Bool
    ) async throws {
        var head = HTTPResponse(status: .init(code: response.status))
        for (name, value) in response.headers {
            HTTPFields.Element.Name(name).map { head.headerFields[$0] = value }
        }
        if response.status != 204 { head.headerFields[.contentLength] = String(response.body.count) }
        if closes { head.headerFields[.connection] = "close" }
        try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
        // The server does not wait for the rest of a body that is too long.
        if closes { try? await channel.close().get() }
    }
}
