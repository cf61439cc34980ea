package import APNSModel

/// What the gateway needs of the certificate that a provider connected with.
package struct ClientCertificate: Hashable, Sendable {
    package enum Verification: Hashable, Sendable {
        case trusted
        /// It was not issued by a trusted authority; the string says why.
        case untrusted(String)
    }

    package var verification: Verification
    /// Milliseconds since 1970.
    package var validFrom: Int64
    /// Milliseconds since 1970; the last moment at which it is valid.
    package var validUntil: Int64
    /// From the extensions 1.2.840.113635.100.6.3.1 and .2.
    package var environments: Set<APNSEnvironment>
    /// The UID of the subject: the bundle id, and the topic where the request names none.
    package var uid: String?
    /// Whether it has the extension 1.2.840.113635.100.6.3.4.
    package var isForVoIP: Bool
    /// From the extension 1.2.840.113635.100.6.3.6.
    package var listedTopics: [String]

    package init(
        verification: Verification = .trusted, validFrom: Int64 = 0, validUntil: Int64 = .max,
        environments: Set<APNSEnvironment>, uid: String?, isForVoIP: Bool = false, listedTopics: [String] = []
    ) {
        self.verification = verification
        self.validFrom = validFrom
        self.validUntil = validUntil
        self.environments = environments
        self.uid = uid
        self.isForVoIP = isForVoIP
        self.listedTopics = listedTopics
    }

    /// Every topic that it allows.
    package var topics: [String] {
        Topic.names(ofCertificate: uid, isForVoIP: isForVoIP, listed: listedTopics)
    }

    /// Whether this is the certificate of an MDM server, whose topic is its own UID.
    var isForMDM: Bool { uid?.hasPrefix("com.apple.mgmt.External.") ?? false }

    /// Why the gateway refuses the certificate; nil if it accepts it.
    ///
    /// - Parameter now: Milliseconds since 1970.
    func fault(for environment: APNSEnvironment, at now: Int64) -> Objection? {
        if case .untrusted(let why) = verification {
            return Objection(.badCertificate, "the client certificate is not trusted: \(why)")
        }
        guard now >= validFrom else {
            return Objection(.badCertificate, "the client certificate is not valid yet; check the gateway's clock")
        }
        guard now <= validUntil else {
            let days = (now - validUntil) / 86_400_000
            return Objection(.badCertificate, "the client certificate expired \(days) days ago; renew it")
        }
        guard !topics.isEmpty else {
            return Objection(
                .badCertificate, "the client certificate names no topic: it has neither a UID nor the topics extension")
        }
        guard environments.contains(environment) else {
            let own = environments.map(\.rawValue).sorted().joined(separator: " and ")
            return Objection(
                .badCertificateEnvironment,
                "the client certificate is for \(own.isEmpty ? "no environment" : own); this is \(environment.rawValue)"
            )
        }
        return nil
    }
}
