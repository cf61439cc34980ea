/// What a push certificate made for development says (docs/reference/apns.md section 5).
package struct PushCertificateRequest: Hashable, Sendable {
    /// Goes into the subject's UID whole, and into the common name as far as its 64 characters reach.
    package var bundleID: String
    /// Goes into the subject's OU.
    package var teamID: String?
    package var allowsSandbox: Bool
    package var allowsProduction: Bool
    package var isVoIP: Bool
    /// Empty leaves the topic list out.
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

    /// The topics that Apple gives an app: the bundle id itself, and with the suffixes for VoIP and complications.
    package static func universalTopics(bundleID: String) -> [CertificateTopic] {
        [
            CertificateTopic(topic: bundleID, kind: "app"),
            CertificateTopic(topic: bundleID + ".voip", kind: "voip"),
            CertificateTopic(topic: bundleID + ".complication", kind: "complication"),
        ]
    }
}
