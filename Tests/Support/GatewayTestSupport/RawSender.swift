import APNSTransport
package import HTTP2Session
import NIOCore
import NIOPosix
package import TLSSession

/// One HTTP/2 connection to a gateway that shows every frame as it is received.
package final class RawSender: Sendable {
    package enum Observed: Sendable, Equatable {
        case opened
        /// The peer's SETTINGS_MAX_CONCURRENT_STREAMS.
        case settings(streams: Int)
        case head(Int32, [String])
        case body(Int32, String)
        case end(Int32)
        case closed(Int32, HTTP2ErrorCode)
        case goAway(lastStreamID: Int32, HTTP2ErrorCode, String)
        case pingAcknowledged
        case disconnected
    }

    /// An answer as it was received.
    package struct Answer: Equatable {
        package var headers: [String] = []
        package var body = ""

        package init(headers: [String] = [], body: String = "") {
            self.headers = headers
            self.body = body
        }
    }

    private final class Delegate: ConnectionDelegate {
        let report: AsyncStream<Observed>.Continuation
        var connection: Connection<Delegate>?
        /// The error that ended it; nil if it was closed regularly.
        var closeError: String?
        /// What was submitted before the connection was open.
        var pending: [(Connection<Delegate>) throws -> Void] = []

        init(_ report: AsyncStream<Observed>.Continuation) { self.report = report }

        func connectionOpened(_ connection: Connection<Delegate>) {
            self.connection = connection
            try? connection.http2.start([], connectionWindow: 1 << 20)
            report.yield(.opened)
            for submit in pending { try? submit(connection) }
            pending = []
        }

        func connection(_ connection: Connection<Delegate>, received batch: borrowing HTTP2EventBatch) {
            for event in batch.events {
                switch event {
                case .settings: report.yield(.settings(streams: connection.http2.peerMaxConcurrentStreams))
                case .head(let stream, let fields):
                    var headers: [String] = []
                    batch.forEachField(fields) {
                        headers.append("\(String(decoding: $0, as: UTF8.self)): \(String(decoding: $1, as: UTF8.self))")
                    }
                    report.yield(.head(stream.id, headers))
                case .body(let stream, let bytes):
                    report.yield(.body(stream.id, String(decoding: batch.bytes(bytes), as: UTF8.self)))
                case .end(let stream, _): report.yield(.end(stream.id))
                case .closed(let stream, let code): report.yield(.closed(stream.id, code))
                case .goAway(let last, let code, let data):
                    report.yield(.goAway(lastStreamID: last, code, String(decoding: batch.bytes(data), as: UTF8.self)))
                case .pingAcknowledged: report.yield(.pingAcknowledged)
                case .settingsAcknowledged, .bodyTooLong: break
                }
            }
        }

        func connectionClosed(_ connection: Connection<Delegate>, error: TransportError?) {
            self.connection = nil
            closeError = error?.description
            report.yield(.disconnected)
            report.finish()
        }
    }

    package let observed: AsyncStream<Observed>
    /// Those of a client, but for long answers as well.
    private static let limits: HTTP2Limits = {
        var limits = HTTP2Limits.client
        limits.storedBodyBytes = 1 << 20
        limits.bodyBytes = 1 << 20
        return limits
    }()
    private let delegate: NIOLoopBound<Delegate>
    private let eventLoop: any EventLoop

    package init(
        port: Int, caPEM: [UInt8], identity: TLSIdentity? = nil, serverName: String? = nil
    ) async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let (observed, report) = AsyncStream.makeStream(of: Observed.self)
        let tls = try TLSContext.client(trust: .certificates(pem: caPEM), identity: identity)
        self.eventLoop = eventLoop
        self.observed = observed
        delegate = try await eventLoop.flatSubmit {
            let delegate = NIOLoopBound(Delegate(report), eventLoop: eventLoop)
            return TransportClient.connect(
                to: TransportEndpoint(host: "127.0.0.1", port: port, tls: tls, serverName: serverName),
                limits: RawSender.limits,
                timeout: .seconds(10), on: eventLoop, delegate: delegate.value
            ).map { delegate }
        }.get()
    }

    /// Submits a request of these fields in this order.
    package func submit(_ fields: [(StaticString, String)], body: String) async throws {
        try await submit([fields], body: body)
    }

    /// Submits several requests in one write.
    package func submit(_ requests: [[(StaticString, String)]], body: String) async throws {
        try await eventLoop.submit { [delegate] in
            let submit = { (connection: Connection<Delegate>) throws in
                for fields in requests {
                    _ = try connection.http2.request(body: Array(body.utf8)) { head in
                        for (name, value) in fields { head.add(name, value) }
                    }
                }
                connection.flush()
            }
            if let connection = delegate.value.connection {
                try submit(connection)
            } else {
                delegate.value.pending.append(submit)
            }
        }.get()
    }

    package func ping() async throws {
        try await eventLoop.submit { [delegate] in
            delegate.value.connection?.http2.ping(1)
            delegate.value.connection?.flush()
        }.get()
    }

    /// Whether the TLS handshake is done and the connection is not closed.
    package var isOpen: Bool {
        get async throws { try await eventLoop.submit { [delegate] in delegate.value.connection != nil }.get() }
    }

    /// The certificate that the gateway has shown; nil while the connection is not open.
    package var serverCertificate: CertificateFacts? {
        get async throws {
            try await eventLoop.submit { [delegate] in delegate.value.connection?.peerCertificate }.get()
        }
    }

    /// The error that ended it; nil if it was closed regularly.
    package var closeError: String? {
        get async throws { try await eventLoop.submit { [delegate] in delegate.value.closeError }.get() }
    }

    package func close() async throws {
        try await eventLoop.submit { [delegate] in delegate.value.connection?.close() }.get()
    }

    /// Everything until the end of the stream with this id, and the answer in it.
    package func answer(
        on id: Int32, _ iterator: inout AsyncStream<Observed>.Iterator
    ) async -> (answer: Answer, before: [Observed]) {
        var answer = Answer()
        var before: [Observed] = []
        while let event = await iterator.next() {
            switch event {
            case .head(id, let headers): answer.headers = headers
            case .body(id, let text): answer.body += text
            case .end(id): return (answer, before)
            default: if answer.headers.isEmpty { before.append(event) }
            }
        }
        return (answer, before)
    }
}
