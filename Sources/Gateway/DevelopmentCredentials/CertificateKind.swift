import APNSModel
import ProviderToken
import SystemFiles
package import TLSSession

/// The kinds of push certificates that senders meet, and two that no gateway takes (docs/reference/apns.md section 5).
package enum CertificateKind: String, Hashable, Sendable, CaseIterable {
    /// Both environments, and a list of topics: the app, VoIP and complications.
    case universal
    /// The sandbox alone, as made for development.
    case sandbox
    /// Production alone.
    case production
    /// Both environments, with the VoIP extension and no list.
    case voip
    /// Both environments, as made for WatchKit services: the list has the app's complications.
    case complication
    /// Both environments; the list has Live Activities (section 11, row 14).
    case liveactivity
    /// Of an MDM server: the topic is its own UID.
    case mdm
    /// Of Wallet passes: the topic is the identifier of the pass type.
    case pass
    /// Of a website.
    case website
    /// As `universal`, and over since yesterday.
    case expired
    /// As `universal`, from an authority that nobody knows.
    case untrusted

    /// What it is good for, in a few words.
    package var summary: String {
        switch self {
        case .universal: "both environments; topics BUNDLE, BUNDLE.voip, BUNDLE.complication"
        case .sandbox: "sandbox alone; topic BUNDLE"
        case .production: "production alone; topic BUNDLE"
        case .voip: "both environments; topics BUNDLE, BUNDLE.voip"
        case .complication: "both environments; topics BUNDLE, BUNDLE.complication"
        case .liveactivity: "both environments; topics BUNDLE, BUNDLE.push-type.liveactivity"
        case .mdm: "production alone; topic com.apple.mgmt.External.UUID"
        case .pass: "production alone; topic pass.BUNDLE"
        case .website: "production alone; topic web.BUNDLE"
        case .expired: "as universal, over since yesterday: BadCertificate"
        case .untrusted: "as universal, from another authority: BadCertificate"
        }
    }

    /// The UUID that stands in the topic of every MDM certificate made here.
    static let mdmTopic = "com.apple.mgmt.External.9d1f0a52-6f1c-4222-8333-abcdefabcdef"

    /// - Parameter bundleID: Of the app; also what the identifiers of pass and website are made of.
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
    ///   - bundleID: Nil is the app of these credentials.
    ///   - days: From now on; Apple's are good for about a year.
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
