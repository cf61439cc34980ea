public import ProviderToken

/// The gateway, credentials and limits of a provider.
public struct ProviderConfiguration: Sendable {
    /// How the provider authenticates itself. Use one provider for each team: APNs allows one team for each connection.
    public enum Credentials: Sendable {
        /// A key that only this provider uses: each provider made of it signs tokens of its own.
        case token(key: SigningKey, keyID: KeyID, teamID: TeamID)
        /// The tokens of a key that other providers use too.
        case tokens(ProviderTokenSource)
        /// A certificate with its chain, and its key. `passphrase` is for an encrypted key.
        case certificate(pem: [UInt8], key: [UInt8], passphrase: String?)
        case pkcs12([UInt8], passphrase: String?)
    }

    /// Which certificate authorities the provider trusts. The gateway's certificate is always checked.
    public enum Trust: Sendable {
        case system
        /// Only these authorities, for instance a gateway simulator's `ca.pem`.
        case authorities(pem: [UInt8])
    }

    public var gateway: APNSGateway
    public var credentials: Credentials
    public var trust: Trust

    /// The maximum of open connections. Another one is opened only while notifications wait.
    public var connections = 1
    /// The time from submitting a notification to its answer.
    public var timeout: Duration = .seconds(30)
    /// The maximum of submitted notifications without an outcome. Further calls of `send` wait.
    public var maximumPending = 10_000
    /// The maximum of calls of `send` that wait because `maximumPending` others have no outcome. A further call sends nothing
    /// and throws `APNSSendError.Code.queueFull`.
    public var maximumWaiting = 100_000
    /// The time limit of the TCP connect, and again of the TLS handshake.
    public var connectTimeout: Duration = .seconds(10)
    /// For a command at a terminal, which reports an unreachable gateway soon: after this many failed attempts to connect,
    /// or one that would fail again in the same way, all waiting notifications are unsent with code `connection-failed`.
    /// It has no effect any more once the gateway has answered. Nil: each notification waits until its own deadline.
    public var connectAttempts: Int?
    /// The wait after the first failed attempt to connect. It doubles with each further one, up to `maximumBackOff`. A
    /// random part of up to a half, and at most a fifth of `maximumBackOff`, is taken off, so that many providers do not
    /// reconnect at the same moment. It starts again once a connection has worked steadily: answers have come on it for
    /// 10 s, or it has answered and was open for 30 s.
    ///
    /// A connection that ends with an error, or after it was open for a short time only, counts as a failed attempt. With
    /// the defaults a gateway that never works gets at most 20 connects in ten minutes. One that has worked steadily is
    /// replaced without a wait after a GOAWAY without an error.
    public var backOff: Duration = .milliseconds(250)
    public var maximumBackOff: Duration = .seconds(60)
    /// A connection with open streams on which nothing was received for this time is checked with a PING.
    public var pingAfterSilence: Duration = .seconds(15)
    /// A connection without open streams is checked with a PING after this time. Apple recommends one an hour.
    public var pingWhenIdle: Duration = .seconds(3600)
    /// A connection without open streams for this time is closed; nil keeps it open, as Apple recommends.
    public var idleTimeout: Duration?
    /// A connection whose PING is not answered in this time is closed.
    public var pingTimeout: Duration = .seconds(10)
    /// How long `PushProvider.run()` waits for the answers to in-flight requests once its task is cancelled.
    public var closeTimeout: Duration = .seconds(10)
    /// Whether notifications are validated. One with a finding of severity error is unsent.
    public var validates = true

    public init(gateway: APNSGateway, credentials: Credentials, trust: Trust = .system) {
        self.gateway = gateway
        self.credentials = credentials
        self.trust = trust
    }
}
