import APNSModel
import APNSTransport
import Doctor
import HTTP2Session
import NIOCore
import PayloadJSON
import ProviderToken
import TLSSession

/// Receives the events of the connection of a `GatewayProbe`, on its event loop.
final class ProbeDelegate: ConnectionDelegate {
    struct Opened: Sendable {
        var tls: TLSEvidence
        /// Nil where TLS failed.
        var http2: HTTP2Evidence?
    }

    private struct Answer {
        var stream: HTTP2Stream
        var promise: EventLoopPromise<PushAnswer>
        var status = 0
        var body: [UInt8] = []
    }

    private let loop: any EventLoop
    private var ready: EventLoopPromise<Opened>?
    private var result: Opened?
    private var connection: Connection<ProbeDelegate>?
    private var tls = TLSEvidence()
    private var goAway: String?
    private var ending: TransportError?
    private var answer: Answer?

    /// The longest text of a peer that is kept.
    private static let maximumText = 100

    init(_ loop: any EventLoop) { self.loop = loop }

    /// What is known once the SETTINGS have come, or the connection has ended.
    func opened(within limit: TimeAmount) -> EventLoopFuture<Opened> {
        if let result { return loop.makeSucceededFuture(result) }
        let promise = loop.makePromise(of: Opened.self)
        ready = promise
        let timer = loop.assumeIsolated().scheduleTask(in: limit) {
            self.settle(HTTP2Evidence(failure: "the other end sent no SETTINGS in time"))
        }
        promise.futureResult.whenComplete { _ in timer.cancel() }
        return promise.futureResult
    }

    private func settle(_ http2: HTTP2Evidence?) {
        guard result == nil else { return }
        let opened = Opened(tls: tls, http2: http2)
        result = opened
        ready?.succeed(opened)
    }

    // MARK: The connection

    func connectionOpened(_ connection: Connection<ProbeDelegate>) {
        self.connection = connection
        tls.version = connection.tlsVersion
        tls.cipher = connection.tlsCipher
        tls.chain = connection.peerChain
        do {
            try connection.http2.start([.enablePush(false)], connectionWindow: 1 << 20)
        } catch {
            connection.fail(TransportError(.protocolViolation, error.description))
        }
    }

    func connection(_ connection: Connection<ProbeDelegate>, received batch: borrowing HTTP2EventBatch) {
        for event in batch.events {
            switch event {
            case .settings:
                settle(HTTP2Evidence(streamLimit: connection.http2.peerMaxConcurrentStreams, goAway: goAway))
            case .goAway(_, let code, let range):
                goAway = ProbeDelegate.reason(in: Array(batch.bytes(range))) ?? "\(code)"
            case .head(let stream, let fields) where stream == answer?.stream:
                batch.forEachField(fields) { name, value in
                    guard name.elementsEqual(":status".utf8) else { return }
                    answer?.status = Int(String(decoding: value, as: UTF8.self)) ?? 0
                }
            case .body(let stream, let range) where stream == answer?.stream:
                answer?.body += batch.bytes(range)
            case .end(let stream, _) where stream == answer?.stream: complete()
            case .closed(let stream, let code) where stream == answer?.stream:
                end(.none("the stream was reset: \(code)", goAway: goAway))
            default: break
            }
        }
    }

    func connectionClosed(_ connection: Connection<ProbeDelegate>, error: TransportError?) {
        self.connection = nil  // the connection holds this delegate
        ending = error
        let detail =
            goAway.map { "the gateway ended the connection: GOAWAY \($0)" } ?? error?.detail
            ?? "the connection was closed"
        if tls.version == nil {
            tls.chain = connection.peerChain
            tls.failure = TLSEvidence.Failure(error?.tlsCode, detail)
            settle(nil)
        } else {
            settle(HTTP2Evidence(goAway: goAway, failure: detail))
        }
        end(unanswered)
    }

    func close() {
        if let connection, connection.isOpen { connection.http2.goAway(.noError) }
        connection?.close()
    }

    // MARK: A push

    func send(_ push: GatewayProbe.Push, authority: String, within limit: TimeAmount) -> EventLoopFuture<PushAnswer> {
        guard let connection else { return loop.makeSucceededFuture(unanswered) }
        let promise = loop.makePromise(of: PushAnswer.self)
        do {
            let stream = try connection.http2.request(body: Array(#"{"aps":{"content-available":1}}"#.utf8)) { fields in
                fields.add(":method", "POST")
                fields.add(":scheme", "https")
                fields.add(":path", prefix: "/3/device/", push.deviceToken)
                fields.add(":authority", authority)
                if let token = push.token { fields.add("authorization", token.authorization) }
                fields.add("apns-topic", push.topic)
                fields.add("apns-push-type", "background")
                fields.add("apns-priority", 5)
                fields.add("apns-expiration", 0)
            }
            answer = Answer(stream: stream, promise: promise)
        } catch {
            return loop.makeSucceededFuture(.none(error.detail, goAway: goAway))
        }
        let timer = loop.assumeIsolated().scheduleTask(in: limit) {
            self.end(.none("no answer came in time", goAway: self.goAway), isLate: true)
        }
        promise.futureResult.whenComplete { _ in timer.cancel() }
        connection.flush()
        return promise.futureResult
    }

    private var unanswered: PushAnswer {
        let detail = ending?.detail ?? "the connection was closed before an answer came"
        if ending?.code == .handshakeFailed { return .certificateRefused(detail) }
        return .none(goAway.map { "the gateway ended the connection: GOAWAY \($0)" } ?? detail, goAway: goAway)
    }

    private func complete() {
        guard let answer else { return }
        if answer.status == 200 { return answered(.accepted) }
        let document = try? JSONDocument(answer.body)
        let timestamp = document.flatMap { document in
            document.member(named: "timestamp", of: .root).flatMap { document.integer(of: $0) }
        }
        let reason = Reason.named(ProbeDelegate.reason(in: answer.body) ?? "", status: answer.status)
        answered(.refused(reason, timestamp: timestamp))
    }

    /// Nothing more comes. A head of 200 is an answer, and so is a body that was cut off behind its reason.
    ///
    /// - Parameters:
    ///   - result: Where there is no head.
    ///   - isLate: Whether the rest may still come, and not in time.
    private func end(_ result: PushAnswer, isLate: Bool = false) {
        guard let answer, answer.status > 0 else { return answered(result) }
        if answer.status == 200 || ProbeDelegate.reason(in: answer.body) != nil { return complete() }
        let end = isLate ? "did not come in time" : "was cut off"
        answered(
            .none("the head of an answer came, with status \(answer.status), and its body \(end)", goAway: goAway))
    }

    private func answered(_ result: PushAnswer) {
        answer?.promise.succeed(result)
        answer = nil
    }

    /// The reason in a body, or in the debug data of a GOAWAY.
    private static func reason(in body: [UInt8]) -> String? {
        guard let document = try? JSONDocument(body), document.kind(of: .root) == .object else { return nil }
        return document.member(named: "reason", of: .root).flatMap { document.string(of: $0) }
            .map { ShownText.cut($0, to: maximumText) }
    }
}
