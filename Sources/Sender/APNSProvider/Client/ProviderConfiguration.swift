import APNSModel
import HTTP2Session
public import ProviderMetrics
public import ProviderToken
public import ProviderTracing
import SystemFiles

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

        /// The key in a `.p8` file.
        ///
        /// - Parameters:
        ///   - path: As for `SigningKey(path:)`.
        ///   - keyID: Nil takes it from the name of the file, `AuthKey_KEYID.p8`.
        /// - Throws: `KeyError` or `APNSValueError`, which say what was found and what is needed.
        public static func token(path: String, keyID: String? = nil, teamID: String) throws -> Credentials {
            let id = try keyID.map { try KeyID(parsing: $0) } ?? KeyID.inName(of: path)
            guard let id else {
                throw APNSValueError(
                    .keyID, "the file \(path) is not named AuthKey_KEYID.p8; pass the key id as keyID")
            }
            return .token(key: try SigningKey(path: path), keyID: id, teamID: try TeamID(parsing: teamID))
        }

        /// The key in an environment variable.
        ///
        /// - Parameter name: As for `SigningKey(environment:)`.
        /// - Throws: `KeyError` or `APNSValueError`, which say what was found and what is needed.
        public static func token(environment name: String, keyID: String, teamID: String) throws -> Credentials {
            try token(environment: name, keyID: keyID, teamID: teamID, value: SigningKey.variable)
        }

        /// - Parameter value: The value of a variable; nil for one that is not set.
        static func token(
            environment name: String, keyID: String, teamID: String, value: (String) -> String?
        ) throws -> Credentials {
            .token(
                key: try SigningKey(environment: name, value: value), keyID: try KeyID(parsing: keyID),
                teamID: try TeamID(parsing: teamID))
        }
    }

    /// Which certificate authorities the provider trusts. The gateway's certificate is always checked.
    public enum Trust: Hashable, Sendable {
        case system
        /// Only these authorities, for instance a gateway simulator's `ca.pem`.
        case authorities(pem: [UInt8])

        /// The same from a file.
        public static func authorities(path: String) throws(ProviderConfigurationError) -> Trust {
            do throws(PrivateFolder.Failure) {
                return .authorities(pem: try PrivateFolder.read(path, maximum: maximumBytes))
            } catch {
                throw ProviderConfigurationError(detail: "the authorities in \(path) cannot be read: \(error)")
            }
        }

        /// A file with all authorities of a system has about 200,000 bytes.
        private static let maximumBytes = 4 << 20
    }

    public var gateway: APNSGateway
    public var credentials: Credentials
    public var trust: Trust
    /// The way to the gateway. The default asks the environment, as the other HTTP clients of a server do: where only a proxy
    /// reaches the internet, whoever runs the server has said so there.
    public var proxy = Proxy.environment

    /// The maximum of open connections. Another one is opened only while notifications wait.
    public var connections = 1
    /// How many event loops, and so processor cores, the provider uses at most. The connections are divided among them, so
    /// no more than `connections` are used. All other limits hold for the whole provider.
    ///
    /// One core sends hundreds of thousands of notifications a second, so one event loop is enough for nearly everybody.
    public var eventLoops = 1
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
    /// reconnect at the same moment. It starts again once a connection has worked steadily: an answer has come on it 10 s
    /// after the first one, or it has answered and was open for 30 s.
    ///
    /// A connection that ends with an error, or after it was open for a short time only, counts as a failed attempt. With
    /// the defaults a gateway that never works gets at most 20 connects in ten minutes, and one more for each further
    /// connection of the pool where it answers before it fails. One that has worked steadily is replaced without a wait
    /// after a GOAWAY without an error. Each provider counts for itself, because a gateway may refuse the credentials of one
    /// and not of another: a process should have one provider for each gateway and key.
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
    /// Whether a push type that this version does not know is sent. False makes it an error of the validation. A push type that
    /// looks like a misspelt known one, such as `Alert`, is an error in any case.
    public var allowsNewPushTypes = false
    /// Where the metrics go: by default to the factory that `MetricsSystem` has when the provider is made.
    public var metrics = PushMetrics()
    /// Where the spans go: by default to the tracer that `InstrumentationSystem` has when the provider is made.
    public var tracing = PushTracing()
    /// Called on the threads of the connections for each event of a connection or of a notification to a device, for a command
    /// that shows them.
    package var exchangeObserver: (@Sendable (ExchangeEvent) -> Void)?

    /// The limits on what a gateway can send.
    var http2Limits = HTTP2Limits.client

    public init(gateway: APNSGateway, credentials: Credentials, trust: Trust = .system) {
        self.gateway = gateway
        self.credentials = credentials
        self.trust = trust
    }
}
