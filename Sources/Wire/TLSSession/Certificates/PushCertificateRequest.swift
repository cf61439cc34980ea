/// The contents of a push certificate for development (docs/reference/apns.md 5).
package struct PushCertificateRequest: Hashable, Sendable {
    /// The subject's UID. The common name also has it, cut to its 64 characters.
    package var bundleID: String
    /// The subject's OU.
    package var teamID: String?
    package var allowsSandbox: Bool
    package var allowsProduction: Bool
    package var isVoIP: Bool
    /// If empty, the certificate has no topic list.
    package var topics: [CertificateTopic]

    package init(
        bundleID: String, teamID: String? = nil, allowsSandbox: Bool = true, allowsProduction: Bool = true,
        isVoIP: Bool = false, topics: [CertificateTopic] = []
    ) {
        self.bundleID = bundleID
        self.teamID = teamID
        self.allowsSandbox = allowsSandbox
        self.allowsProduction = allowsProduction
        self.isVoIP = isVoIP
        self.topics = topics
    }

    /// The topics that Apple's certificates have: the bundle id, and the bundle id with the suffixes for VoIP and
    /// complications.
    package static func universalTopics(bundleID: String) -> [CertificateTopic] {
        [
            CertificateTopic(topic: bundleID, kind: "app"),
            CertificateTopic(topic: bundleID + ".voip", kind: "voip"),
            CertificateTopic(topic: bundleID + ".complication", kind: "complication"),
        ]
    }
}
