import APNSModel
import APNSTransport
import GatewayCore
import GatewayJSON
import GatewayRuntime
import Hummingbird
import NIOCore
import PayloadJSON

/// The data of the connection that a request came over.
struct ControlContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// The control API over HTTP/1.1.
struct ControlResponder: HTTPResponder {
    let api: ControlAPI
    /// Opens and closes the external parts of a world.
    let worldOpener: any WorldOpener
    /// How long clients may take to read large answers.
    let readingTime: ReadingTime
    let changes: ControlChanges

    func respond(to request: Request, context: ControlContext) async throws -> Response {
        let response: Response
        do {
            response = try await answer(request, context)
        } catch let problem as Problem {
            response = ControlResponder.response(problem)
        }
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(_ request: Request, _ context: ControlContext) async throws -> Response {
        var read = ControlResponder.head(of: request)
        let call = try api.call(read)
        let memory = BodyMemory(in: api.worlds.memory, small: BodyMemory.smallRequest)
        if call.operation.body != nil {
            try ControlResponder.checkLength(of: request, limit: call.operation.maximumBodyBytes)
            ControlConnection.askForBody(context.channel)
            read.body = try await ControlResponder.body(of: request, limit: call.operation.maximumBodyBytes, memory)
        }
        var isChange = call.operation.isChange
        if isChange { try changes.begin() }
        defer { if isChange { changes.end() } }
        let (answer, world) = try api.answer(call, read)
        if isChange, answer.isReadOnly {
            // It may wait for minutes.
            changes.end()
            isChange = false
        }
        read.body = []
        memory.release()
        if request.method == .head, answer.isStream {
            return Response(status: .ok, headers: ControlResponder.streamHeaders)
        }
        let response = try await respond(answer, to: request, context)
        // If the store fails, a change is refused, because it did not happen; a request that only reads is still
        // answered.
        guard await world.stored() || ControlResponder.isReadOnly(request) && !answer.isStream || answer.isReadOnly
        else {
            throw Problem.notStored
        }
        return response
    }

    private static func isReadOnly(_ request: Request) -> Bool { request.method == .get || request.method == .head }

    private static func head(of request: Request) -> ControlRequest {
        let headers = request.headers
        let path = request.head.path ?? "/"
        let question = path.firstIndex(of: "?")
        return ControlRequest(
            // HEAD is GET without the body (RFC 9110, 9.3.2).
            method: request.method == .head ? "GET" : request.method.rawValue,
            path: String(path[..<(question ?? path.endIndex)]),
            query: question.map { String(path[path.index(after: $0)...]) } ?? "", host: request.head.authority,
            // The server takes the first one out of the headers.
            repeatsHost: host.flatMap { headers[$0] } != nil, origin: headers[.origin],
            fetchSite: fetchSite.flatMap { headers[$0] }, authorization: headers[.authorization],
            lastEventID: lastEventID.flatMap { headers[$0] })
    }

    /// Refuses a body from its announced length, so that a client that waits to send it does not.
    private static func checkLength(of request: Request, limit: Int) throws(Problem) {
        guard let announced = request.headers[.contentLength] else { return }
        guard let length = Int(announced), length <= limit else { throw tooLarge(limit) }
    }

    private static func tooLarge(_ limit: Int) -> Problem {
        Problem(413, "The body is too large", "a body has at most \(limit) bytes; send less at once")
    }

    /// - Parameters:
    ///   - limit: The largest body, in bytes.
    ///   - memory: Where the body counts as it comes.
    private static func body(of request: Request, limit: Int, _ memory: BodyMemory) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await part in request.body {
            let count = bytes.count + part.readableBytes
            guard count <= limit else { throw tooLarge(limit) }
            do throws(BodyMemory.Full) {
                try memory.grow(to: count)
            } catch {
                throw Problem.tooManyBodies
            }
            bytes += part.readableBytesView
        }
        return bytes
    }

    private static let host = HTTPFields.Element.Name("host")
    private static let fetchSite = HTTPFields.Element.Name("sec-fetch-site")
    private static let lastEventID = HTTPFields.Element.Name("last-event-id")

    private func respond(
        _ answer: ControlAnswer, to request: Request, _ context: ControlContext
    ) async throws(Problem) -> Response {
        let channel = context.channel
        let disconnect: @Sendable () -> Void = { channel.close(promise: nil) }
        switch answer {
        case .json(let status, let json, let location):
            var response = try countedResponse(status, json.bytes, "application/json", on: channel)
            if let location { response.headers[.location] = location }
            return response
        case .text(let text):
            return try countedResponse(200, Array(text.utf8), "text/plain; charset=utf-8", on: channel)
        case .page(let file): return file.response
        case .noContent: return Response(status: .noContent)
        case .verification(let state, let expectation, let within):
            let verification = try await ControlResponder.verify(expectation, within: within, in: state, on: channel)
            return try countedResponse(200, verification.json.bytes, "application/json", on: channel)
        case .newWorld(let world):
            let state = try await worldOpener.open(world)
            let json = state.json(withToken: true)
            return try await respond(.created(json, at: "/api/worlds/\(state.name)"), to: request, context)
        case .removedWorld(let name):
            guard await worldOpener.close(name) else { throw .noWorld(name.text) }
            return Response(status: .noContent)
        case .removedWorlds(let names):
            var removed: [String] = []
            for name in names where await worldOpener.close(name) {
                api.worlds.countEviction(.request)
                removed.append(name.text)
            }
            return ControlResponder.response(
                200, .object { $0.add("removed", strings: removed) }, "application/json")
        case .events(let state, let last):
            let subscription = try subscribing { () throws(SubscriptionError) in
                try state.subscribeToEvents(after: last, disconnect: disconnect)
            }
            let first = ServerSentEvent.opening(subscription)
            return try stream(state, subscription.id, on: channel, first: first, subscription.items) { item in
                switch item {
                case .event(let event, let id, _): ServerSentEvent(event, id)
                case .heartbeat: .heartbeat
                }
            }
        case .deliveries(let state, let token, let environment, let last):
            let subscription = try subscribing { () throws(SubscriptionError) in
                try state.subscribe(token, in: environment, after: last, disconnect: disconnect)
            } noDevice: {
                .noDevice(token.shortened)
            }
            let resumption = subscription.resumption
            let first =
                [ServerSentEvent.connected] + (resumption.isComplete ? [] : [.gap])
                + resumption.deliveries.map { ServerSentEvent($0) }
            return try stream(state, subscription.id, on: channel, first: first, subscription.items) { item in
                switch item {
                case .delivery(let delivery, _): ServerSentEvent(delivery)
                case .moved(let token): ServerSentEvent(movedTo: token)
                case .heartbeat: .heartbeat
                }
            }
        }
    }

    private static func verify(
        _ expectation: JournalExpectation, within: Int64?, in state: LiveWorld, on channel: any Channel
    ) async throws(Problem) -> LiveWorld.Verification {
        do throws(SubscriptionError) {
            let verification = try await state.verify(
                expectation, within: within, on: channel.eventLoop, isDisconnected: { !channel.isActive },
                whenAbandoned: { ControlConnection.whenAbandoned(channel, $0) })
            if await state.stored() { return verification }
            // Some of what it matched could not be stored, so it does not count.
            return try await state.verify(expectation, within: nil, on: channel.eventLoop)
        } catch {
            throw error == .cutShort ? Problem.waitCutShort : Problem.tooManySubscribers
        }
    }

    private func subscribing<Subscription>(
        _ subscribe: () throws(SubscriptionError) -> Subscription, noDevice: () -> Problem? = { nil }
    ) throws(Problem) -> Subscription {
        do throws(SubscriptionError) {
            return try subscribe()
        } catch {
            if error == .noDevice, let problem = noDevice() { throw problem }
            throw .tooManySubscribers
        }
    }

    /// Writes events as fast as the client reads them, until it disconnects, falls behind or the gateway stops.
    private func stream<Item: Sendable>(
        _ state: LiveWorld, _ id: UInt64, on channel: any Channel, first: [ServerSentEvent],
        _ items: AsyncStream<Item>, _ event: @escaping @Sendable (Item) -> ServerSentEvent
    ) throws(Problem) -> Response {
        let lease = SubscriptionLease { state.unsubscribe(id) }
        let opening = try AnswerBody(first.flatMap(\.bytes), in: api.worlds.memory, readingTime)
        let executor = EventLoopExecutor(channel.eventLoop)
        return Response(
            status: .ok, headers: ControlResponder.streamHeaders,
            body: ResponseBody { writer in
                defer { lease.end() }
                var output = writer
                try await opening.write(to: &output, of: channel)
                // Not the server's `consumeWithCancellationOnInboundClose`: it stops the process where the stream ends
                // before the request is complete.
                ControlConnection.whenAbandoned(channel) {
                    lease.end()
                    channel.close(promise: nil)
                }
                try await withTaskExecutorPreference(executor) {
                    for await item in items { try await output.write(ByteBuffer(bytes: event(item).bytes)) }
                }
                try await output.finish(nil)
            })
    }

    /// The headers of an event stream.
    private static let streamHeaders: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]

    /// A large body counts as memory of the gateway until it is written.
    private func countedResponse(
        _ status: Int, _ bytes: [UInt8], _ contentType: String, on channel: any Channel
    ) throws(Problem) -> Response {
        Response(
            status: .init(code: status), headers: [.contentType: contentType],
            body: try AnswerBody.whole(bytes, in: api.worlds.memory, readingTime, to: channel))
    }

    private static func response(_ problem: Problem) -> Response {
        var response = response(problem.status, problem.json, "application/problem+json")
        if !problem.allowed.isEmpty { response.headers[.allow] = problem.allowed.joined(separator: ", ") }
        if problem.status == 401 { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }

    private static func response(_ status: Int, _ json: JSONText, _ contentType: String) -> Response {
        Response(
            status: .init(code: status), headers: [.contentType: contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)))
    }
}

/// Ends a subscription once: when its response ends, or when the response is never written.
private final class SubscriptionLease: Sendable {
    private let unsubscribe: @Sendable () -> Void

    init(_ unsubscribe: @escaping @Sendable () -> Void) { self.unsubscribe = unsubscribe }

    /// Calling it more than once is safe: the state removes a subscription once.
    func end() { unsubscribe() }

    deinit { unsubscribe() }
}
