package import APNSModel
package import ProviderToken
import SystemFiles
package import TLSSession

/// Credentials for a gateway and its senders on one machine: a CA, a server certificate, and a signing key with its
/// ids.
package struct DevelopmentCredentials: Sendable {
    /// Signs the gateway's certificate, and client certificates for senders that use one.
    package let authority: DevelopmentAuthority
    /// The certificate of the authority, which senders must trust.
    package let caPEM: [UInt8]
    package private(set) var server: TLSIdentity
    package let key: SigningKey
    package let keyID: KeyID
    package let teamID: TeamID
    /// The app that is registered from the start, with every capability.
    package var topic: Topic
    /// The path of the folder; nil for credentials that were never written.
    package let folder: String?

    package init(
        authority: DevelopmentAuthority, server: TLSIdentity, key: SigningKey, keyID: KeyID, teamID: TeamID,
        topic: Topic, folder: String?
    ) throws(TLSError) {
        self.authority = authority
        caPEM = try authority.certificatePEM
        self.server = server
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
        self.topic = topic
        self.folder = folder
    }

    package static let defaultTopic = "com.example.agent"

    /// Apple's platforms refuse server certificates that are valid for longer.
    static let serverDays: Int64 = 825
    private static let authorityDays: Int64 = 3650

    /// Makes new credentials in memory.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970; nil means the machine's time.
    ///   - names: DNS names and IP addresses for the server certificate, in addition to those of this machine.
    package static func make(
        at now: Int64? = nil, names: [String] = []
    ) throws(CredentialsError) -> DevelopmentCredentials {
        let now = now ?? WallClock.milliseconds / 1000
        guard let keyID = KeyID(randomID()), let teamID = TeamID(randomID()), let topic = Topic(defaultTopic) else {
            preconditionFailure("ids made here are well formed")
        }
        do {
            let authority = try DevelopmentAuthority(validity: CertificateValidity(days: authorityDays, from: now))
            return try DevelopmentCredentials(
                authority: authority,
                server: try authority.server(
                    names: names, validity: CertificateValidity(days: serverDays, from: now)),
                key: try SigningKey.generate(), keyID: keyID, teamID: teamID, topic: topic, folder: nil)
        } catch {
            throw CredentialsError(.badCredentials, "no development credentials can be made: \(error)")
        }
    }

    /// The same credentials with a server certificate that has all of `names` too, made in memory where it lacks one.
    ///
    /// So a folder that was made without these names, or that cannot be written, serves them as well.
    package func serving(_ names: [String]) throws(CredentialsError) -> DevelopmentCredentials {
        let facts = server.certificate
        guard !DevelopmentCredentials.hasAll(names, facts) else { return self }
        return try withServer(
            names: facts.names + names,
            validity: CertificateValidity(notBefore: facts.notBefore, notAfter: facts.notAfter))
    }

    /// When a gateway renews the server certificate; nil where that is not possible, because another authority signed it, or
    /// because it ends with its authority.
    package var renewal: CertificateRenewal? {
        guard authority.hasSigned(server) else { return nil }
        return CertificateRenewal(of: server.certificate, by: authority.identity.certificate)
    }

    /// The same credentials with a server certificate of the same names and authority that begins now, made in memory.
    ///
    /// - Parameter now: Seconds since 1970.
    package func renewed(at now: Int64) throws(CredentialsError) -> DevelopmentCredentials {
        var validity = CertificateValidity(days: DevelopmentCredentials.serverDays, from: now)
        validity.notAfter = min(validity.notAfter, authority.identity.certificate.notAfter)
        return try withServer(names: server.certificate.names, validity: validity)
    }

    private func withServer(
        names: [String], validity: CertificateValidity
    ) throws(CredentialsError) -> DevelopmentCredentials {
        var credentials = self
        do throws(TLSError) {
            credentials.server = try authority.server(names: names, validity: validity)
        } catch {
            throw CredentialsError(.badCredentials, "no server certificate can be made: \(error.description)")
        }
        return credentials
    }

    static func hasAll(_ names: [String], _ facts: CertificateFacts) -> Bool {
        let known = Set(facts.names.map { $0.lowercased() })
        return names.allSatisfy { known.contains($0.lowercased()) }
    }

    /// Ten random characters from the alphabet of key and team ids.
    private static func randomID() -> String {
        let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return String((0..<10).map { _ in characters[Int.random(in: 0..<characters.count)] })
    }

    /// Throws when the server certificate has expired or is not valid yet; the error says what to do.
    ///
    /// - Parameter now: Seconds since 1970.
    package func checkValidity(at now: Int64) throws(CredentialsError) {
        try checkAuthority(at: now)
        let facts = server.certificate
        guard now <= facts.notAfter else {
            throw CredentialsError(
                .expiredCredentials,
                "the server certificate\(place) was valid until \(DevelopmentCredentials.text(facts.notAfter)); renew it "
                    + "with: apns credentials --renew\(outputOption)")
        }
        guard now >= facts.notBefore else {
            throw CredentialsError(
                .expiredCredentials,
                "the server certificate\(place) is not valid before \(DevelopmentCredentials.text(facts.notBefore)); set "
                    + "this machine's clock, or renew it with: apns credentials --renew\(outputOption)")
        }
    }

    /// Throws when the authority has expired, because everything that it signed has expired too.
    ///
    /// - Parameter now: Seconds since 1970.
    func checkAuthority(at now: Int64) throws(CredentialsError) {
        let facts = authority.identity.certificate
        guard now > facts.notAfter else { return }
        throw CredentialsError(
            .expiredCredentials,
            "the certificate authority\(place) was valid until \(DevelopmentCredentials.text(facts.notAfter)), and with it "
                + "all that it signed; make new credentials with: apns credentials --force\(outputOption)")
    }

    /// Whether the authority ends before the server certificate, or with it.
    private var endsWithAuthority: Bool {
        authority.identity.certificate.notAfter <= server.certificate.notAfter
    }

    /// The last second at which senders accept the server certificate, since 1970.
    package var validUntil: Int64 {
        min(authority.identity.certificate.notAfter, server.certificate.notAfter)
    }

    /// Until when the certificate that ends first is valid, and how to replace it.
    ///
    /// - Parameter now: Seconds since 1970.
    package func notice(at now: Int64) -> String {
        let (name, command) =
            endsWithAuthority
            ? ("certificate authority", "make new credentials with: apns credentials --force")
            : ("server certificate", "renew it with: apns credentials --renew")
        return "the \(name)\(place) \(now > validUntil ? "was" : "is") valid until "
            + "\(DevelopmentCredentials.text(validUntil)); \(command)\(outputOption)"
    }

    private var place: String { folder.map { " in \($0)" } ?? "" }

    /// The option of `apns credentials` that names this folder; empty for the default folder.
    private var outputOption: String { folder.map { DevelopmentCredentials.outputOption(of: $0) } ?? "" }

    /// The same for any folder.
    static func outputOption(of folder: String) -> String {
        folder == defaultFolder ? "" : " --output \(ShellWord.quoted(folder))"
    }

    package static let defaultFolder = "certs/dev"

    private static func text(_ seconds: Int64) -> String { TimeText.text(max(0, seconds) * 1000) }
}
