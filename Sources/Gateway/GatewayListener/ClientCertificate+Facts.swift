import APNSModel
import GatewayCore
import TLSSession

extension ClientCertificate {
    /// From the certificate that a sender presented in the TLS handshake; nil if there is none.
    init?(_ facts: CertificateFacts?, _ verification: PeerVerification) {
        guard let facts else { return nil }
        var environments: Set<APNSEnvironment> = []
        if facts.allowsSandbox { environments.insert(.sandbox) }
        if facts.allowsProduction { environments.insert(.production) }
        let verdict: Verification =
            switch verification {
            case .trusted: .trusted
            case .untrusted(let why): .untrusted(why)
            case .none: .untrusted("it was not verified")
            }
        self.init(
            verification: verdict, validFrom: ClientCertificate.milliseconds(facts.notBefore),
            validUntil: ClientCertificate.milliseconds(facts.notAfter), environments: environments, uid: facts.userID,
            isForVoIP: facts.isVoIP, listedTopics: facts.topics.map(\.topic))
    }

    private static func milliseconds(_ seconds: Int64) -> Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (seconds < 0 ? .min : .max) : product
    }
}
