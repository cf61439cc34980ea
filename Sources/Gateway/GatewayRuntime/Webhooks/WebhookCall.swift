import APNSTransport
import GatewayConfiguration
import NIOCore
import NIOHTTP1
import NIOPosix
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

    private typealias Exchange = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private static let connectTimeout: TimeAmount = .seconds(2)
    private static let timeout: TimeAmount = .seconds(10)

    /// - Parameter tls: How a server with `https` is verified.
    static func post(_ body: [UInt8], to url: WebhookURL, _ tls: WebhookTLS) async -> Result {
        do {
            let verified = url.isSecure ? try tls.context() : nil
            let (channel, ready) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(connectTimeout)
                .connect(host: url.host, port: url.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
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
            let timer = channel.channel.eventLoop.scheduleTask(in: timeout) { channel.channel.close(promise: nil) }
            defer { timer.cancel() }
            return try await channel.executeThenClose { inbound, outbound in
                try await ready.get()
                var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: url.target)
                head.headers.add(name: "host", value: url.authority)
                head.headers.add(name: "connection", value: "close")
                head.headers.add(name: "content-type", value: "application/json")
                head.headers.add(name: "content-length", value: "\(body.count)")
                try await outbound.write(.head(head))
                try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body))))
                try await outbound.write(.end(nil))
                for try await part in inbound {
                    guard case .head(let answer) = part else { continue }
                    let status = Int(answer.status.code)
                    return (200...299).contains(status) ? .accepted : .refused(status: status)
                }
                return .unreachable("it closed the connection without an answer")
            }
        } catch {
            return .unreachable("\(url.authority) cannot be reached: \(error)")
        }
    }
}
