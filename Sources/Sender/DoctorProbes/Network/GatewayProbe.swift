import APNSModel
import APNSProvider
import APNSTransport
import Doctor
import HTTP2Session
import NIOCore
import NIOPosix
import ProviderToken
import TLSSession

/// One connection to a gateway. Each call blocks the thread until it has an answer or the time is over.
///
/// `@unchecked Sendable` because an `Examination` makes one call at a time, and what the event loop uses is bound to it.
final class GatewayProbe: @unchecked Sendable {
    /// A request for one device token.
    struct Push {
        /// The path behind `/3/device/`.
        var deviceToken: String
        var topic: String
        /// Nil on a connection with a client certificate.
        var token: SignedToken?
    }

    private let gateway: APNSGateway
    private let tls: TLSContext
    private let proxy: TransportProxy?
    private let timeout: TimeAmount
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private var delegate: NIOLoopBound<ProbeDelegate>?
    private(set) var evidence: ConnectionEvidence

    init(_ gateway: APNSGateway, tls: TLSContext, proxy: TransportProxy?, timeout: TimeAmount) {
        self.gateway = gateway
        self.tls = tls
        self.proxy = proxy
        self.timeout = timeout
        evidence = ConnectionEvidence(destination: Destination(host: gateway.host, port: gateway.port))
    }

    /// Connects, and waits for the SETTINGS. Where nothing answers on a port of APNs, the other one is tried.
    func connect(hasOwnAuthorities: Bool) {
        for port in ports {
            do {
                let open = try opened(port: port)
                evidence.attempts.append(PortAttempt(port: port))
                evidence.tls = open.tls
                evidence.tls?.hasOwnAuthorities = hasOwnAuthorities
                evidence.http2 = open.http2
                return
            } catch {
                evidence.attempts.append(PortAttempt(port: port, failure: "\(error)"))
            }
        }
    }

    /// Those to try in turn.
    private var ports: [Int] {
        let apple = [APNSGateway.ApplePort.standard, .alternative].map(\.rawValue)
        guard evidence.destination.environment != nil, proxy == nil, apple.contains(gateway.port) else {
            return [gateway.port]
        }
        return [gateway.port] + apple.filter { $0 != gateway.port }
    }

    /// Throws where there is no TCP connection.
    private func opened(port: Int) throws -> ProbeDelegate.Opened {
        let loop = group.next()
        let endpoint = TransportEndpoint(host: gateway.host, port: port, tls: tls, proxy: proxy)
        let timeout = timeout
        let future: EventLoopFuture<(NIOLoopBound<ProbeDelegate>, ProbeDelegate.Opened)> = loop.flatSubmit {
            let delegate = NIOLoopBound(ProbeDelegate(loop), eventLoop: loop)
            return TransportClient.connect(
                to: endpoint, limits: .client, timeout: timeout, on: loop, delegate: delegate.value
            ).flatMap { delegate.value.opened(within: timeout + timeout).map { (delegate, $0) } }
        }
        let (bound, opened) = try future.wait()
        delegate = bound
        return opened
    }

    /// Sends a silent push with expiration 0, so that nothing is stored.
    func send(_ push: Push) -> PushAnswer {
        guard let delegate, evidence.http2?.failure == nil else { return .none("there is no connection") }
        let timeout = timeout
        let authority = gateway.port == 443 ? gateway.host : "\(gateway.host):\(gateway.port)"
        let future = group.next().flatSubmit { delegate.value.send(push, authority: authority, within: timeout) }
        do {
            return try future.wait()
        } catch {
            return .none("\(error)")
        }
    }

    func ask(impossible push: Push) { evidence.impossible = send(push) }
    func ask(device push: Push) { evidence.device = send(push) }

    func close() {
        guard let delegate else { return }
        let loop = group.next()
        try? loop.submit { delegate.value.close() }.wait()
        self.delegate = nil
    }
}
