import APNSModel
import ProviderToken
import TLSSession

@testable import Doctor

/// Evidence of a run in which everything is as it should be, to change parts of.
extension DoctorEvidence {
    static let now: Int64 = 1_795_773_600

    static let sound: DoctorEvidence = {
        var evidence = DoctorEvidence(
            destination: Destination(host: "api.push.apple.com", port: 443), nothingSeen: "unused")
        evidence.credentials = .seen(.key(source: "/run/AuthKey_ABC123DEFG.p8"))
        evidence.key = .seen(
            KeyEvidence(
                source: "/run/AuthKey_ABC123DEFG.p8", file: FileFacts(mode: 0o600, isOwn: true), form: KeyForm(),
                keyID: "ABC123DEFG", teamID: "DEF123GHIJ", keyIDInName: "ABC123DEFG"))
        evidence.providerToken = .seen(ProviderTokenEvidence())
        evidence.certificate = .seen(
            CertificateEvidence(
                path: "/run/push.pem", file: FileFacts(mode: 0o400, isOwn: true), facts: pushCertificate, now: now))
        evidence.clock = .seen(
            ClockEvidence(now: now, kernel: KernelClock(isSynchronized: true, maximumError: 20_000)))
        evidence.date = .seen(
            DateEvidence(host: "www.apple.com", answer: .date(server: now, machine: now + 1, uncertainty: 2)))
        evidence.proxy = .seen(.direct)
        evidence.names = .seen(
            NameEvidence(
                host: "api.push.apple.com",
                addresses: [
                    .init("17.0.0.1", isIPv6: false, hasRoute: true),
                    .init("2620:149::1", isIPv6: true, hasRoute: true),
                ]))
        evidence.connection = .seen(connection("api.push.apple.com", impossible: .refused(.badDeviceToken), .accepted))
        evidence.other = .seen(connection("api.sandbox.push.apple.com", impossible: .refused(.badDeviceToken), nil))
        evidence.topic = .seen("com.example.app")
        evidence.deviceToken = .seen(String(repeating: "0f", count: 32))
        var queue = QueueEvidence(engine: .redis, address: "localhost:6379/0")
        queue.server = .seen(QueueServer(version: "7.0.15"))
        queue.persistence = .seen(.appendOnlyFile(fsync: "always"))
        queue.memory = .seen(QueueMemory(policy: "noeviction", limit: 0, used: 1000))
        queue.backlog = .seen(QueueBacklog(backlog: 3, pending: 1, dead: 0, oldest: 2))
        evidence.queue = .seen(queue)
        return evidence
    }()

    /// The checks that see nothing to judge in `sound`.
    static let skippedWhenSound: Set<String> = ["other-port", "device-unseen"]

    /// The resolver does not find the host of the destination, so no connection is made.
    mutating func loseHost() {
        let failure = "Name or service not known"
        names.change { $0 = NameEvidence(host: $0.host, addresses: [], failure: failure) }
        connection.change { $0.attempts = [443, 2197].map { PortAttempt(port: $0, failure: failure) } }
    }

    static func connection(_ host: String, impossible: PushAnswer?, _ device: PushAnswer?) -> ConnectionEvidence {
        ConnectionEvidence(
            destination: Destination(host: host, port: 443), attempts: [PortAttempt(port: 443)],
            tls: TLSEvidence(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", chain: [serverCertificate]),
            http2: HTTP2Evidence(streamLimit: 1), impossible: impossible, device: device)
    }

    private static let authority: DevelopmentAuthority? = try? DevelopmentAuthority(
        validity: CertificateValidity(days: 300, from: now))

    static let serverCertificate: CertificateFacts = {
        guard
            var facts = try? authority?.server(
                host: "api.push.apple.com", validity: CertificateValidity(days: 90, from: now)
            ).certificate
        else { fatalError("OpenSSL makes no certificate") }
        facts.issuerName = "Apple Public Server RSA CA 12 - G1"
        facts.issuerOrganization = "Apple Inc."
        return facts
    }()

    static let pushCertificate: CertificateFacts = {
        var request = PushCertificateRequest(bundleID: "com.example.app")
        request.allowsSandbox = true
        request.allowsProduction = true
        guard
            let facts = try? authority?.client(request, validity: CertificateValidity(days: 300, from: now)).certificate
        else { fatalError("OpenSSL makes no certificate") }
        return facts
    }()
}

extension Observation {
    /// Changes what was seen.
    mutating func change(_ body: (inout Value) -> Void) {
        guard case .seen(var value) = self else { return }
        body(&value)
        self = .seen(value)
    }
}
