package import GatewayConfiguration
import NIOCore
import NIOHTTP1
import NIOPosix
import TLSSession

/// One POST over HTTP/1.1, of which only the status counts.
package enum WebhookCall {
    package enum Result: Hashable, Sendable {
        case taken
        case refused(status: Int)
        case unreachable(String)

        /// A server that is overloaded, broken or not there may be better later; one that refuses will not.
        package var isWorthAnotherTry: Bool {
            switch self {
            case .taken: false
            case .refused(let status): status >= 500 || status == 408 || status == 429
            case .unreachable: true
            }
        }

        package var words: String? {
            switch self {
            case .taken: nil
            case .refused(let status): "it answered \(status)"
            case .unreachable(let why): why
            }
        }
    }

    private typealias Exchange = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private static let connectTimeout: TimeAmount = .seconds(2)
    private static let timeout: TimeAmount = .seconds(10)

    /// - Parameter tls: How a server of `https` is verified.
    package static func post(_ body: [UInt8], to url: WebhookURL, _ tls: WebhookTLS) async -> Result {
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
                    return (200...299).contains(status) ? .taken : .refused(status: status)
                }
                return .unreachable("it closed the connection without an answer")
            }
        } catch {
            return .unreachable("\(url.authority) cannot be reached: \(error)")
        }
    }
}
