import APNSModel
import ProviderToken
import SystemFiles
package import TLSSession

/// The kinds of push certificates in use, and two that no gateway accepts (docs/reference/apns.md section 5).
package enum CertificateKind: String, Hashable, Sendable, CaseIterable {
    /// Both environments, with a list of topics: the app, VoIP and complications.
    case universal
    /// Only the sandbox, as for development.
    case sandbox
    /// Only production.
    case production
    /// Both environments, with the VoIP extension and without a list of topics.
    case voip
    /// Both environments, as for WatchKit services: the list contains the app's complications.
    case complication
    /// Both environments; the list contains Live Activities (docs/reference/apns.md 11, row 14).
    case liveactivity
    /// For an MDM server: the topic is the UID in the certificate.
    case mdm
    /// For Wallet passes: the topic is the identifier of the pass type.
    case pass
    /// For a website.
    case website
    /// As `universal`, expired since yesterday.
    case expired
    /// As `universal`, from an unknown authority.
    case untrusted

    /// A short description of what it is accepted for.
    package var summary: String {
        switch self {
        case .universal: "both environments; topics BUNDLE, BUNDLE.voip, BUNDLE.complication"
        case .sandbox: "only the sandbox; topic BUNDLE"
        case .production: "only production; topic BUNDLE"
        case .voip: "both environments; topics BUNDLE, BUNDLE.voip"
        case .complication: "both environments; topics BUNDLE, BUNDLE.complication"
        case .liveactivity: "both environments; topics BUNDLE, BUNDLE.push-type.liveactivity"
        case .mdm: "only production; topic com.apple.mgmt.External.UUID"
        case .pass: "only production; topic pass.BUNDLE"
        case .website: "only production; topic web.BUNDLE"
        case .expired: "as universal, expired since yesterday: BadCertificate"
        case .untrusted: "as universal, from another authority: BadCertificate"
        }
    }

    /// The UUID in the topic of every MDM certificate made here.
    static let mdmTopic = "com.apple.mgmt.External.9d1f0a52-6f1c-4222-8333-abcdefabcdef"

    /// - Parameter bundleID: The app's; the identifiers of pass and website are derived from it.
    func request(bundleID: String, teamID: String) -> PushCertificateRequest {
        var request = PushCertificateRequest(bundleID: bundleID, teamID: teamID)
        let app = CertificateTopic(topic: bundleID, kind: "app")
        switch self {
        case .universal, .expired, .untrusted:
            request.topics = PushCertificateRequest.universalTopics(bundleID: bundleID)
        case .sandbox: request.allowsProduction = false
        case .production: request.allowsSandbox = false
        case .voip: request.isVoIP = true
        case .complication:
            request.topics = [app, CertificateTopic(topic: bundleID + ".complication", kind: "complication")]
        case .liveactivity:
            request.topics = [app, CertificateTopic(topic: bundleID + ".push-type.liveactivity", kind: "liveactivity")]
        case .mdm:
            request.bundleID = CertificateKind.mdmTopic
            request.allowsSandbox = false
        case .pass:
            request.bundleID = "pass." + bundleID
            request.allowsSandbox = false
        case .website:
            request.bundleID = "web." + bundleID
            request.allowsSandbox = false
        }
        return request
    }
}

extension DevelopmentCredentials {
    /// Makes a push certificate of a kind, with a new key.
    ///
    /// - Parameters:
    ///   - bundleID: Nil means the app of these credentials.
    ///   - days: How long it is valid; Apple's certificates are valid for about a year.
    ///   - now: Seconds since 1970.
    package func certificate(
        _ kind: CertificateKind, bundleID: String? = nil, days: Int64 = 365, at now: Int64? = nil
    ) throws(TLSError) -> TLSIdentity {
        let now = now ?? WallClock.milliseconds / 1000
        let request = kind.request(bundleID: bundleID ?? topic.bundleID, teamID: teamID.value)
        let validity =
            kind == .expired
            ? CertificateValidity(notBefore: now - (days + 1) * 86_400, notAfter: now - 86_400)
            : CertificateValidity(days: days, from: now)
        let authority =
            kind == .untrusted
            ? try DevelopmentAuthority(name: "apns-toolkit unknown CA", validity: validity) : authority
        return try authority.client(request, validity: validity)
    }
}
