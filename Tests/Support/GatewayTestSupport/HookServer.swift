import APNSTransport
import Foundation
import NIOCore
package import NIOHTTP1
import NIOPosix
import Synchronization
package import TLSSession

/// A server that records what is posted to it. It answers each post with the next of its statuses, and repeats the last one.
/// The status 0 is no answer.
package final class HookServer: Sendable {
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        let server: HookServer
        var body: [UInt8] = []
        var head: HTTPRequestHead?

        init(_ server: HookServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): self.head = head
            case .body(let buffer): body += buffer.readableBytesView
            case .end:
                let status = server.take(body, head)
                body = []
                guard status != 0 else { return }
                let answer = HTTPResponseHead(
                    version: .http1_1, status: .init(statusCode: status), headers: ["content-length": "0"])
                context.write(wrapOutboundOut(.head(answer)), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }

    private struct Shared {
        var statuses: [Int]
        var heads: [HTTPRequestHead] = []
    }

    private let shared: Mutex<Shared>
    private let report: AsyncStream<[UInt8]>.Continuation
    /// The bodies of all posts.
    package let bodies: AsyncStream<[UInt8]>

    private init(_ statuses: [Int]) {
        shared = Mutex(Shared(statuses: statuses))
        (bodies, report) = AsyncStream.makeStream(of: [UInt8].self)
    }

    /// - Parameter tls: What it speaks TLS with; nil for none.
    package static func with<Result>(
        statuses: [Int] = [200], tls: TLSContext? = nil, _ body: (HookServer, _ url: String) async throws -> Result
    ) async throws -> Result {
        let server = HookServer(statuses)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let ready = channel.eventLoop.makePromise(of: Void.self)
                        try channel.pipeline.syncOperations.addHandler(
                            TLSHandler(TLSSession(server: tls), ready: ready))
                    }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        do {
            let host = tls == nil ? "http://127.0.0.1" : "https://localhost"
            let result = try await body(server, "\(host):\(port)/hook?a=b")
            try await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    package var heads: [HTTPRequestHead] { shared.withLock { $0.heads } }

    private func take(_ body: [UInt8], _ head: HTTPRequestHead?) -> Int {
        let status = shared.withLock { shared in
            if let head { shared.heads.append(head) }
            return shared.statuses.count > 1 ? shared.statuses.removeFirst() : shared.statuses.first ?? 200
        }
        report.yield(body)
        return status
    }
}

extension AsyncStream<[UInt8]>.Iterator {
    /// The next post as an object of JSON.
    package mutating func post() async -> [String: Any] {
        guard let body = await next() else { return [:] }
        return (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }
}
