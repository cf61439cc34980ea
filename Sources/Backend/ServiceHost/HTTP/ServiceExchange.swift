import Hummingbird
import HummingbirdCore
import NIOCore

/// One request of HTTP/1.1 and its answer.
struct ServiceExchange: Sendable {
    let maximumBodyBytes: Int
    let answer: @Sendable (ServiceRequest) async throws -> ServiceDelivery

    /// How long a request without an answer keeps its connection: longer than any client waits.
    private static let silence = Duration.seconds(600)

    func respond(
        to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let (call, isWhole) = try await read(request)
        switch try await answer(call) {
        case .response(let response): try await write(response, writer, channel, closes: !isWhole)
        case .cut(let response, let bytes):
            var body = try await writer.writeHead(head(response))
            try await body.write(ByteBuffer(bytes: response.body.prefix(bytes)))
            try? await channel.close().get()
        case .close: try? await channel.close().get()
        case .silence:
            // It ends when the server stops.
            try? await Task.sleep(for: ServiceExchange.silence)
            try? await channel.close().get()
        case .stream(let stream): try await write(stream, request, writer, channel)
        }
    }

    /// - Returns: Whether the body is complete. Of a body that is too long, enough is kept for the service to refuse it.
    private func read(_ request: Request) async throws -> (ServiceRequest, isWhole: Bool) {
        let target = request.head.path ?? "/"
        let question = target.firstIndex(of: "?")
        var call = ServiceRequest(
            request.method.rawValue, String(target[..<(question ?? target.endIndex)]),
            query: question.map { String(target[target.index(after: $0)...]) } ?? "")
        for field in request.headers { call.headers[field.name.canonicalName] = field.value }
        call.headers["host"] = request.head.authority
        // The body of such a request has no meaning, and a stream needs the rest of the input to see the client leave.
        guard request.method != .get, request.method != .head else { return (call, true) }
        for try await var part in request.body {
            call.body += part.readBytes(length: part.readableBytes) ?? []
            if call.body.count > maximumBodyBytes {
                call.body.removeLast(call.body.count - maximumBodyBytes - 1)
                return (call, false)
            }
        }
        return (call, true)
    }

    private func head(_ response: ServiceResponse) -> HTTPResponse {
        var head = HTTPResponse(status: .init(code: response.status))
        for (name, value) in response.headers {
            HTTPFields.Element.Name(name).map { head.headerFields[$0] = value }
        }
        if response.status != 204 { head.headerFields[.contentLength] = String(response.body.count) }
        return head
    }

    private func write(
        _ response: ServiceResponse, _ writer: consuming ResponseWriter, _ channel: any Channel, closes: Bool
    ) async throws {
        var head = head(response)
        if closes { head.headerFields[.connection] = "close" }
        try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
        // The server does not wait for the rest of a body that is too long.
        if closes { try? await channel.close().get() }
    }

    /// Writes events as fast as the client reads them, until they end, the client leaves or the server stops.
    private func write(
        _ stream: ServiceStream, _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        defer { stream.onEnd() }
        stream.onStart { channel.close(promise: nil) }
        var head = HTTPResponse(status: .ok)
        head.headerFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        var body = try await writer.writeHead(head)
        try await request.body.consumeWithCancellationOnInboundClose { _ in
            for await event in stream.events {
                try await body.write(ByteBuffer(bytes: event))
                stream.onWritten(event.count)
            }
        }
        try await body.finish(nil)
    }
}
