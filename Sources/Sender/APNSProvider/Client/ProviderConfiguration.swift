public import ProviderToken

/// Everything that a provider has to be told.
public struct ProviderConfiguration: Sendable {
    /// How the provider proves who it is. A team, a key or a certificate of another team needs a provider of its own:
    /// APNs allows one team for each connection.
    public enum Credentials: Sendable {
        case token(key: SigningKey, keyID: KeyID, teamID: TeamID)
        /// A certificate with its chain, and its key; `passphrase` only where the key is encrypted.
        case certificate(pem: [UInt8], key: [UInt8], passphrase: String?)
        case pkcs12([UInt8], passphrase: String?)
    }

    /// Whom the provider believes to be the gateway. There is no way to believe everybody.
    public enum Trust: Sendable {
        case system
        /// Only servers with a certificate of these authorities, for instance a gateway simulator's `ca.pem`.
        case authorities(pem: [UInt8])
    }

    public var gateway: APNSGateway
    public var credentials: Credentials
    public var trust: Trust

    /// The most connections to have open at once. More are opened only while notifications wait.
    public var connections = 1
    /// The time that a notification may take from its submission to its answer.
    public var timeout: Duration = .seconds(30)
    /// Submissions that may wait or be under way at once; further callers wait for one of them to end.
    public var maximumPending = 10_000
    /// The time that TCP, and again TLS, may take.
    public var connectTimeout: Duration = .seconds(10)
    /// Failed tries to connect, without an answer on any connection between them, after which everything that waits is
    /// given back as unsent.
    public var connectAttempts = 5
    /// The wait after the first failed try; it doubles up to `maximumBackOff`, and a random part of up to a half is taken
    /// off, so that many providers do not come back at once.
    public var backOff: Duration = .milliseconds(250)
    public var maximumBackOff: Duration = .seconds(60)
    /// After this long without a byte from the gateway, a PING asks whether it is there.
    public var pingAfterSilence: Duration = .seconds(15)
    /// A gateway that does not answer the PING in this time is taken for dead.
    public var pingTimeout: Duration = .seconds(10)
    /// Whether notifications with an error-level finding are held back.
    public var validates = true

    public init(gateway: APNSGateway, credentials: Credentials, trust: Trust = .system) {
        self.gateway = gateway
        self.credentials = credentials
        self.trust = trust
    }
}
