import APNSModel
import APNSProvider
import APNSTransport
import Foundation
import HTTP2Session
import NIOCore
import NIOPosix
import ProviderToken
import Synchronization
import TLSSession

/// A gateway whose answers a test decides, with real TLS and HTTP/2 on a loopback port.
final class ScriptedGateway: Sendable {
    struct Request: Sendable {
        var fields: [String: String] = [:]
        var body: [UInt8] = []
        /// Counts the requests of all connections, from 0.
        var number = 0
        /// The number of its connection, from 0.
        var connection = 0
        var token: String { String(fields[":path"]?.dropFirst("/3/device/".count) ?? "") }
    }

    enum Answer: Sendable {
        case accept
        case refuse(Reason)
        /// A head and a body.
        case answer(Int, [String: String] = [:], String = "")
        /// No answer.
        case silence
        case reset(HTTP2ErrorCode)
        /// GOAWAY with the stream before this one as the last, so that this one is not processed.
        case goAwayBefore
        /// GOAWAY; this stream and all before it are answered.
        case goAwayAfter
        case disconnect
        /// More PING frames than any client takes.
        case flood
        /// GOAWAY with the code and the text, and then the end of the connection.
        case disconnectAfterGoAway(HTTP2ErrorCode, String)
        /// Stops reading and answering, and keeps the connection open.
        case hang
        case streamLimit(UInt32)
    }

    struct Log: Sendable {
        var requests: [Request] = []
        var accepted: [String: Int] = [:]
        var connections = 0
        var mostStreams = 0
    }

    let log = Mutex(Log())
    /// An element for each connection that has ended.
    let ended = AsyncStream.makeStream(of: Void.self)
    let authority: [UInt8]
    let port: Int
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel

    private init(
        firstStreamLimit: UInt32, window: UInt32, refusesClients: Bool,
        script: @escaping @Sendable (Request) -> Answer
    ) async throws {
        let validity = CertificateValidity(days: 2, from: Int64(Date().timeIntervalSince1970))
        let ca = try DevelopmentAuthority(validity: validity)
        authority = try ca.certificatePEM
        let tls = try TLSContext.server(identity: try ca.server(validity: validity), clientTrust: nil)
        if refusesClients { tls.refuseClients() }
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let box = OwnerBox()
        channel = try await TransportServer.bind(
            host: "127.0.0.1", port: 0, tls: tls, limits: .server, handshakeTimeout: .seconds(10), on: group
        ) { _ in
            ScriptedPeer(box: box, streamLimit: firstStreamLimit, window: window, script: script)
        }.get()
        port = channel.localAddress!.port!
        box.owner.withLock { $0 = self }  // before any test connects
    }

    /// A gateway for the length of `body`, and a provider's configuration that trusts it.
    ///
    /// - Parameter refusesClients: Whether it demands a client certificate and accepts none.
    static func with<Result>(
        firstStreamLimit: UInt32 = 1000, window: UInt32 = 65535, refusesClients: Bool = false,
        script: @escaping @Sendable (Request) -> Answer,
        _ body: (ScriptedGateway, ProviderConfiguration) async throws -> Result
    ) async throws -> Result {
        let gateway = try await ScriptedGateway(
            firstStreamLimit: firstStreamLimit, window: window, refusesClients: refusesClients, script: script)
        do {
            let result = try await body(gateway, try gateway.configuration())
            try await gateway.stop()
            return result
        } catch {
            try await gateway.stop()
            throw error
        }
    }

    /// A port that accepts connections and sends nothing.
    static func withSilentListener(_ body: (ProviderConfiguration) async throws -> Void) async throws {
        try await with(script: { _ in .accept }) { gateway, configuration in
            let listener = try await ServerBootstrap(group: gateway.group).bind(host: "127.0.0.1", port: 0).get()
            var configuration = configuration
            configuration.gateway.port = listener.localAddress?.port ?? 0
            try await body(configuration)
            try await listener.close()
        }
    }

    func configuration() throws -> ProviderConfiguration {
        var configuration = ProviderConfiguration(
            gateway: APNSGateway(host: "localhost", port: port),
            credentials: .token(key: try .generate(), keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!),
            trust: .authorities(pem: authority))
        configuration.backOff = .milliseconds(10)
        // On a machine with much other work a handshake takes many seconds. A test of a limit sets its own.
        configuration.timeout = .seconds(600)
        configuration.connectTimeout = .seconds(300)
        return configuration
    }

    func stop() async throws {
        try? await channel.close()
        try await group.shutdownGracefully()
    }
}

final class OwnerBox: Sendable {
    let owner = Mutex<ScriptedGateway?>(nil)
}

final class ScriptedPeer: ConnectionDelegate {
    private let box: OwnerBox
    private let streamLimit: UInt32
    private let window: UInt32
    private let script: @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer
    private var requests: [Int32: ScriptedGateway.Request] = [:]
    private var number = 0
    /// Streams from here on are not processed, as the GOAWAY says.
    private var goneFrom = Int32.max

    init(
        box: OwnerBox, streamLimit: UInt32, window: UInt32,
        script: @escaping @Sendable (ScriptedGateway.Request) -> ScriptedGateway.Answer
    ) {
        self.box = box
        self.streamLimit = streamLimit
        self.window = window
        self.script = script
    }

    private var log: ScriptedGateway { box.owner.withLock { $0! } }

    func connectionOpened(_ connection: Connection<ScriptedPeer>) {
        number = log.log.withLock { log in
            defer { log.connections += 1 }
            return log.connections
        }
        try? connection.http2.start([.maxConcurrentStreams(streamLimit), .initialWindowSize(window)])
    }

    func connection(_ connection: Connection<ScriptedPeer>, received batch: borrowing HTTP2EventBatch) {
        for event in batch.events {
            switch event {
            case .head(let stream, let fields):
                var request = ScriptedGateway.Request(connection: number)
                batch.forEachField(fields) { name, value in
                    request.fields[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
                }
                requests[stream.id] = request
                let open = requests.count
                log.log.withLock { $0.mostStreams = max($0.mostStreams, open) }
            case .body(let stream, let bytes): requests[stream.id]?.body += Array(batch.bytes(bytes))
            case .end(let stream, _): answer(stream, connection)
            case .closed(let stream, _): requests[stream.id] = nil
            default: break
            }
        }
    }

    private func answer(_ stream: HTTP2Stream, _ connection: Connection<ScriptedPeer>) {
        guard var request = requests[stream.id], stream.id < goneFrom else { return }
        let gateway = log
        request.number = gateway.log.withLock { log in
            log.requests.append(request)
            return log.requests.count - 1
        }
        switch script(request) {
        case .accept: respond(stream, connection, nil)
        case .refuse(let reason): respond(stream, connection, reason)
        case .answer(let status, let headers, let body):
            try? connection.http2.respond(to: stream, body: Array(body.utf8)) { fields in
                fields.add(":status", status)
                for (name, value) in headers {
                    switch name {
                    case "apns-request-id": fields.add("apns-request-id", value)
                    case "apns-channel-id": fields.add("apns-channel-id", value)
                    default: preconditionFailure("add \(name) here, where its name is constant")
                    }
                }
            }
        case .silence: break
        case .reset(let code): connection.http2.reset(stream, code)
        case .goAwayBefore:
            goneFrom = stream.id
            connection.http2.goAway(
                lastStreamID: stream.id - 2, .noError, debugData: Array(#"{"reason":"Shutdown"}"#.utf8))
        case .goAwayAfter:
            goneFrom = stream.id + 2
            respond(stream, connection, nil)
            connection.http2.goAway(lastStreamID: stream.id, .noError, debugData: Array(#"{"reason":"Shutdown"}"#.utf8))
        case .disconnect: connection.fail(TransportError(.closedHere, "as the script says"))
        case .flood: for number in 0..<1000 { connection.http2.ping(UInt64(number)) }
        case .disconnectAfterGoAway(let code, let text):
            connection.http2.sayGoAway(lastStreamID: stream.id, code, debugData: Array(text.utf8))
            connection.close()
        case .hang: connection.stopReading()
        case .streamLimit(let limit):
            try? connection.http2.updateSettings([.maxConcurrentStreams(limit)])
            respond(stream, connection, nil)
        }
    }

    private func respond(_ stream: HTTP2Stream, _ connection: Connection<ScriptedPeer>, _ reason: Reason?) {
        guard let request = requests[stream.id] else { return }
        if reason == nil { log.log.withLock { $0.accepted[request.token, default: 0] += 1 } }
        let body = reason.map { Array(#"{"reason":"\#($0.code)"}"#.utf8) } ?? []
        try? connection.http2.respond(to: stream, body: body) { fields in
            fields.add(":status", reason?.status ?? 200)
            fields.add("apns-id", request.fields["apns-id"] ?? "", isIndexed: false)
        }
    }

    func connectionClosed(_ connection: Connection<ScriptedPeer>, error: TransportError?) {
        log.ended.continuation.yield()
    }
}
