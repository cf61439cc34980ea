package import APNSModel
package import ProviderToken
package import TLSSession

/// What a gateway and its senders need on one machine: a CA, a server certificate, and a signing key with its ids.
package struct DevelopmentCredentials: Sendable {
    /// Makes the gateway's certificate, and client certificates for senders that use one.
    package let authority: DevelopmentAuthority
    /// The certificate of the authority, which senders have to trust.
    package let caPEM: [UInt8]
    package let server: TLSIdentity
    package let key: SigningKey
    package let keyID: KeyID
    package let teamID: TeamID
    /// The app that is known from the start, with every capability.
    package var topic: Topic
    /// Where the files are; nil for credentials that were never written.
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

    /// Apple's platforms refuse server certificates that live longer.
    private static let serverDays: Int64 = 825
    private static let authorityDays: Int64 = 3650

    /// Makes new credentials in memory.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970; nil is the machine's time.
    ///   - names: DNS names and IP addresses for the server certificate, beside those of this machine.
    package static func make(
        at now: Int64? = nil, names: [String] = []
    ) throws(GatewayError) -> DevelopmentCredentials {
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
            throw GatewayError(.badCredentials, "no development credentials can be made: \(error)")
        }
    }

    /// Ten characters of those that key and team ids have.
    private static func randomID() -> String {
        let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return String((0..<10).map { _ in characters[Int.random(in: 0..<characters.count)] })
    }

    /// Fails when the server certificate is over or not valid yet, and says what to do.
    ///
    /// - Parameter now: Seconds since 1970.
    func checkValidity(at now: Int64) throws(GatewayError) {
        let facts = server.certificate
        let place = folder.map { " in \($0)" } ?? ""
        guard now <= facts.notAfter else {
            throw GatewayError(
                .expiredCredentials,
                "the server certificate\(place) was valid until \(TimeText.text(max(0, facts.notAfter) * 1000)); make new "
                    + "credentials with: apns credentials --force")
        }
        guard now >= facts.notBefore else {
            throw GatewayError(
                .expiredCredentials,
                "the server certificate\(place) is not valid before \(TimeText.text(max(0, facts.notBefore) * 1000)); "
                    + "set this machine's clock, or make new credentials with: apns credentials --force")
        }
    }
}
