import APNSModel
import APNSProvider
import APNSTransport
package import Doctor
import NIOCore
import ProviderToken
import SystemFiles
import TLSSession

/// A run of `apns doctor`: collects evidence, what is offline first, and lets the checks judge it.
///
/// A probe or a check that crashes counts as a failed check, and the others go on.
package struct Examination {
    private let settings: ExaminationSettings
    private let checks: [DoctorCheck]
    private var evidence: DoctorEvidence
    private var material = Material()
    private var destination: GatewayProbe?
    private var other: GatewayProbe?

    /// The secrets of a run, which are not part of the evidence.
    private struct Material: Sendable {
        var token: SignedToken?
        var identity: TLSIdentity?

        var isEmpty: Bool { token == nil && identity == nil }
    }

    package init(_ settings: ExaminationSettings, checks: [DoctorCheck] = DoctorCheck.all) {
        self.settings = settings
        self.checks = checks
        evidence = DoctorEvidence(
            destination: Destination(host: settings.gateway.host, port: settings.gateway.port),
            nothingSeen: settings.isOffline ? "nothing is asked over the network (--offline)" : "it was not looked at")
    }

    /// Runs all checks, and blocks the thread until they are done.
    ///
    /// - Parameter report: Gets each result, in the order of the layers, as soon as it is known.
    package mutating func run(_ report: (DoctorResult) -> Void) -> DoctorSummary {
        var summary = DoctorSummary()
        collectOffline()
        for layer in DoctorLayer.allCases {
            if !settings.isOffline { collect(layer) }
            for check in checks where check.layer == layer {
                let result = result(of: check)
                summary.add(result)
                report(result)
            }
        }
        destination?.close()
        other?.close()
        return summary
    }

    private func result(of check: DoctorCheck) -> DoctorResult {
        let evidence = evidence
        do throws(CrashGuard.Failure) {
            return try CrashGuard.run(within: Examination.judgeLimit) { check.result(for: evidence) }
        } catch {
            return check.ownFault(error.description)
        }
    }

    private static let judgeLimit = Duration.seconds(10)
    private static let offlineLimit = Duration.seconds(20)
    /// Two ports with TCP, TLS and SETTINGS each.
    private var networkLimit: Duration { settings.timeout * 8 + .seconds(5) }

    /// Runs a probe, and turns its own faults into evidence.
    private func observe<Value: Sendable>(
        _ name: String, within limit: Duration, _ probe: @escaping @Sendable () throws -> Observation<Value>
    ) -> Observation<Value> {
        do throws(CrashGuard.Failure) {
            return try CrashGuard.run(within: limit, probe)
        } catch {
            return .broken("the probe of \(name): \(error)")
        }
    }

    // MARK: Offline

    private mutating func collectOffline() {
        let now = settings.now()
        evidence.clock = observe("the clock", within: Examination.offlineLimit) {
            .seen(ClockEvidence(now: now, kernel: KernelClock.read()))
        }
        evidence.topic = settings.topic.seen(or: "no topic is given; --topic or APNS_TOPIC names it")
        evidence.deviceToken = settings.deviceToken.seen(or: "no device token is given; --token gives one")
        switch settings.identity {
        case .none:
            evidence.credentials = .seen(.none)
            evidence.key = .unseen("no key is given")
            evidence.providerToken = .unseen("no key is given")
            evidence.certificate = .unseen("no certificate is given")
        case .key(let source, let keyID, let teamID):
            evidence.certificate = .unseen("a key is used, and no certificate")
            collectKey(source, keyID, teamID, now)
        case .certificate(let path, let keyPath, let passphrase):
            evidence.credentials = .seen(.certificate(path: path))
            evidence.key = .unseen("a certificate is used, and no key")
            evidence.providerToken = .unseen("a certificate is used, and no provider token")
            let limit = settings.fileLimit
            let seen = observe("the certificate", within: Examination.offlineLimit) {
                .seen(
                    CredentialProbe.certificate(
                        path: path, keyPath: keyPath, passphrase: passphrase, now: now, within: limit))
            }
            evidence.certificate = seen.map(\.evidence)
            material.identity = seen.value?.identity
        }
        evidence.deviceNotAsked = deviceNotAsked
    }

    private mutating func collectKey(
        _ source: ExaminationSettings.KeySource, _ keyID: String?, _ teamID: String?, _ now: Int64
    ) {
        switch source {
        case .file(let path): evidence.credentials = .seen(.key(source: path))
        case .variable(let name, _): evidence.credentials = .seen(.key(source: name))
        }
        let limit = settings.fileLimit
        let seen = observe("the key", within: Examination.offlineLimit) {
            .seen(CredentialProbe.key(source, keyID: keyID, teamID: teamID, within: limit))
        }
        evidence.key = seen.map(\.evidence)
        guard let (facts, signingKey) = seen.value, let key = signingKey else {
            evidence.providerToken = .unseen("the key could not be read")
            return
        }
        guard let keyID = (facts.keyID ?? facts.keyIDInName).flatMap({ KeyID($0) }),
            let teamID = facts.teamID.flatMap({ TeamID($0) })
        else {
            evidence.providerToken = .unseen("a provider token needs the key id and the team id")
            return
        }
        let store = TokenStore(folder: settings.tokenFolder)
        let made = observe("the provider token", within: Examination.offlineLimit) {
            do throws(KeyError) {
                let (token, evidence) = try store.token(key: key, keyID: keyID, teamID: teamID, now: now)
                return .seen((token: token as SignedToken?, evidence: evidence))
            } catch {
                return .seen((token: nil, evidence: ProviderTokenEvidence(failure: error.detail)))
            }
        }
        evidence.providerToken = made.map(\.evidence)
        material.token = made.value?.token
    }

    /// Why no push is sent to the device token; nil where one is.
    private var deviceNotAsked: String? {
        guard let text = settings.deviceToken else { return nil }
        if settings.isOffline { return "nothing is asked over the network (--offline)" }
        guard DeviceToken(text) != nil else { return "no push is sent to what is not a device token" }
        guard let topic = settings.topic.flatMap({ Topic($0) }) else {
            return "no push is sent to the device token without its topic; give --topic"
        }
        guard topic.suffix.isEmpty else {
            return
                "no push is sent for the topic \(topic): one with the suffix \(topic.suffix) would do something on the device; "
                + "give the bundle id with the device token of the app"
        }
        return nil
    }

    // MARK: Network

    private mutating func collect(_ layer: DoctorLayer) {
        switch layer {
        case .clock: collectDate()
        case .route: collectConnection()
        case .identity: askImpossible()
        case .topic: askDevice()
        case .queue: collectQueue()
        case .key, .tls, .device: break
        }
    }

    private mutating func collectDate() {
        guard let server = settings.dateServer else {
            evidence.date = .unseen(
                "\(evidence.destination.name) sends no Date; --date-url names an HTTPS server to compare the clock with"
            )
            return
        }
        let (trust, proxy, timeout) = (settings.dateTrust, settings.proxy, TimeAmount(settings.timeout))
        let seen = observe("the Date of \(server.host)", within: networkLimit) {
            do {
                let tls = try TLSContext.client(trust: trust.authorities, identity: nil, alpn: ["http/1.1"])
                let answer = try DateProbe.evidence(
                    server: server, tls: tls, proxy: try proxy.transportProxy(for: server), timeout: timeout)
                return .seen(answer)
            } catch {
                return .unseen("\(server.host) gave no Date: \(error)")
            }
        }
        evidence.date = seen
    }

    private mutating func collectConnection() {
        let (gateway, proxy) = (settings.gateway, settings.proxy)
        let way = Result { () throws(ProviderConfigurationError) in try proxy.transportProxy(for: gateway) }
        switch way {
        case .failure(let error):
            evidence.proxy = .seen(.unusable(error.detail))
            let why = "the proxy cannot be used"
            (evidence.connection, evidence.other, evidence.names) = (.unseen(why), .unseen(why), .unseen(why))
            return
        case .success(nil):
            evidence.proxy = .seen(.direct)
            evidence.names = observe("the resolver", within: networkLimit) {
                .seen(NameProbe.evidence(host: gateway.host, port: gateway.port))
            }
        case .success(let proxy?):
            evidence.proxy = .seen(.proxy(name: proxy.name))
            evidence.names = .unseen("the proxy \(proxy.name) resolves the name of the gateway")
        }
        (destination, evidence.connection) = connected(to: gateway)
    }

    /// A connection, and how far it came.
    private func connected(to gateway: APNSGateway) -> (GatewayProbe?, Observation<ConnectionEvidence>) {
        let (settings, identity) = (settings, material.identity)
        let hasOwnAuthorities = settings.trust != .system
        let seen = observe("the connection to \(gateway.host)", within: networkLimit) {
            () -> Observation<GatewayProbe> in
            let tls = try TLSContext.client(trust: settings.trust.authorities, identity: identity)
            let probe = GatewayProbe(
                gateway, tls: tls, proxy: try settings.proxy.transportProxy(for: gateway),
                timeout: TimeAmount(settings.timeout))
            probe.connect(hasOwnAuthorities: hasOwnAuthorities)
            return .seen(probe)
        }
        return (seen.value, seen.map(\.evidence))
    }

    /// Sends a push to an impossible device token to the destination, and to the other environment.
    private mutating func askImpossible() {
        guard !material.isEmpty else { return }
        if let probe = destination, evidence.connection.value?.http2?.failure == nil,
            evidence.connection.value?.http2 != nil
        {
            evidence.connection = asked(probe, deviceToken: ImpossibleDeviceToken.text(for: evidence.destination)) {
                $0.ask(impossible: $1)
            }
        }
        guard let gateway = settings.other else {
            evidence.other = .unseen("the destination is not Apple's, and has no other environment")
            return
        }
        (other, evidence.other) = connected(to: gateway)
        guard let probe = other, evidence.other.value?.http2 != nil else { return }
        evidence.other = asked(probe, deviceToken: ImpossibleDeviceToken.text(for: probe.evidence.destination)) {
            $0.ask(impossible: $1)
        }
    }

    /// Sends a push to the device token, and where it is not known there, to the other environment.
    private mutating func askDevice() {
        guard let text = settings.deviceToken, evidence.deviceNotAsked == nil, let token = DeviceToken(text) else {
            return
        }
        guard let probe = destination, CredentialsAccepted.by(evidence.connection.value) else { return }
        evidence.connection = asked(probe, deviceToken: token.hex) { $0.ask(device: $1) }
        guard evidence.connection.value?.device?.reason == .badDeviceToken, let probe = other,
            CredentialsAccepted.by(evidence.other.value)
        else { return }
        evidence.other = asked(probe, deviceToken: token.hex) { $0.ask(device: $1) }
    }

    private func asked(
        _ probe: GatewayProbe, deviceToken: String, _ ask: @escaping @Sendable (GatewayProbe, GatewayProbe.Push) -> Void
    ) -> Observation<ConnectionEvidence> {
        let push = GatewayProbe.Push(
            deviceToken: deviceToken, topic: topicOfPushes, token: material.identity == nil ? material.token : nil)
        return observe("the push to \(probe.evidence.destination.host)", within: networkLimit) {
            ask(probe, push)
            return .seen(probe.evidence)
        }
    }

    /// APNs judges the device token before it asks whether the topic is allowed, so any topic will do for an impossible one.
    private var topicOfPushes: String {
        settings.topic.flatMap { Topic($0) }?.value ?? evidence.certificate.value?.facts?.userID.flatMap { Topic($0) }?
            .value
            ?? "com.example.apns-doctor"
    }

    private mutating func collectQueue() {
        guard let queue = settings.queue else {
            evidence.queue = .unseen("no queue is given; --queue gives its URL")
            return
        }
        let limit = settings.timeout
        evidence.queue = observe("the queue", within: networkLimit) {
            .seen(try Blocking.value { try await queue.evidence(within: limit) })
        }
    }
}
