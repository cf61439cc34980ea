import APNSTransport
import GatewayConfiguration
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import TLSSession

/// One POST over HTTP/1.1. Of the answer only the status counts.
enum WebhookCall {
    enum Result: Hashable, Sendable {
        case accepted
        case refused(status: Int)
        case unreachable(String)

        /// Whether the same call may succeed later.
        var isTemporary: Bool {
            switch self {
            case .accepted: false
            case .refused(let status): status >= 500 || status == 408 || status == 429
            case .unreachable: true
            }
        }

        /// Nil for success.
        var problem: String? {
            switch self {
            case .accepted: nil
            case .refused(let status): "it answered \(status)"
            case .unreachable(let why): why
            }
        }
    }

    /// A connect or a handshake does not end with its task, and a gateway that stops must not wait for them. So the connection
    /// is closed from outside.
    private final class Opening: Sendable {
        private struct State {
            var channel: (any Channel)?
            var isCancelled = false
            var isLate = false
        }

        private let state = Mutex(State())

        var isLate: Bool { state.withLock { $0.isLate } }

        func begin(_ channel: any Channel) {
            let isOver = state.withLock { state in
                state.channel = channel
                return state.isCancelled
            }
            if isOver { channel.close(promise: nil) }
        }

        func end(late: Bool) {
            let channel = state.withLock { state in
                if late { state.isLate = true } else { state.isCancelled = true }
                return state.channel
            }
            channel?.close(promise: nil)
        }
    }

    private typealias Exchange = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private static let connectTimeout: TimeAmount = .seconds(5)

    /// - Parameters:
    ///   - tls: How a server with `https` is verified.
    ///   - timeout: From the connection to the head of the answer.
    static func post(
        _ body: [UInt8], to url: WebhookURL, _ tls: WebhookTLS, timeout: TimeAmount = .seconds(10)
    ) async -> Result {
        let opening = Opening()
        return await withTaskCancellationHandler {
            await post(body, to: url, tls, timeout, opening)
        } onCancel: {
            opening.end(late: false)
        }
    }

    private static func post(
        _ body: [UInt8], to url: WebhookURL, _ tls: WebhookTLS, _ timeout: TimeAmount, _ opening: Opening
    ) async -> Result {
        do {
            let (channel, ready) = try await open(url, url.isSecure ? try tls.context() : nil, opening)
            let timer = channel.channel.eventLoop.scheduleTask(in: timeout) { opening.end(late: true) }
            defer { timer.cancel() }
            let result = await answer(channel, ready, body, url)
            guard case .unreachable = result, opening.isLate else { return result }
            return .unreachable("\(url.authority) gave no answer within \(timeout.nanoseconds / 1_000_000_000) s")
        } catch let error as NIOConnectionError {
            guard let cause = error.connectionErrors.first?.error else {
                return .unreachable("cannot find the host \(url.host); check its spelling, and the DNS of this machine")
            }
            return .unreachable("\(url.authority) cannot be reached: \(TransportError.description(of: cause))")
        } catch {
            return .unreachable("\(url.authority) cannot be reached: \(TransportError.description(of: error))")
        }
    }

    private static func open(
        _ url: WebhookURL, _ verified: TLSContext?, _ opening: Opening
    ) async throws -> (channel: Exchange, ready: EventLoopFuture<Void>) {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(connectTimeout)
            .connect(host: url.host, port: url.port) { channel in
                opening.begin(channel)
                return channel.eventLoop.makeCompletedFuture {
                    let ready = channel.eventLoop.makePromise(of: Void.self)
                    if let verified {
                        let session: TLSSession
                        do {
                            session = try TLSSession(client: verified, serverName: url.host)
                        } catch {
                            ready.fail(error)
                            throw error
                        }
                        try channel.pipeline.syncOperations.addHandler(TLSHandler(session, ready: ready))
                    } else {
                        ready.succeed()
                    }
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return (try Exchange(wrappingChannelSynchronously: channel), ready.futureResult)
                }
            }
    }

    private static func answer(
        _ channel: Exchange, _ ready: EventLoopFuture<Void>, _ body: [UInt8], _ url: WebhookURL
    ) async -> Result {
        do {
            return try await channel.executeThenClose { inbound, outbound in
                try await ready.get()
                var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: url.target)
                head.headers.add(name: "host", value: url.authority)
                head.headers.add(name: "connection", value: "close")
                head.headers.add(name: "content-type", value: "application/json")
                head.headers.add(name: "content-length", value: "\(body.count)")
                // In one write: a server that has the whole body may answer and close before a separate write of the end.
                try await outbound.write(
                    contentsOf: [.head(head), .body(.byteBuffer(ByteBuffer(bytes: body))), .end(nil)])
                for try await part in inbound {
                    guard case .head(let answer) = part else { continue }
                    let status = Int(answer.status.code)
                    return (200...299).contains(status) ? .accepted : .refused(status: status)
                }
                return .unreachable("\(url.authority) closed the connection without an answer")
            }
        } catch is HTTPParserError {
            return .unreachable("\(url.authority) answered with something that is not HTTP/1.1")
        } catch let error as TLSError where error.code == .noSharedProtocol {
            return .unreachable("\(url.authority) cannot be reached: it must speak HTTP/1.1 over TLS (ALPN http/1.1)")
        } catch let error as TLSError {
            return .unreachable("\(url.authority) cannot be reached: \(error)")
        } catch {
            return .unreachable("the connection to \(url.authority) broke: \(TransportError.description(of: error))")
        }
    }
}
