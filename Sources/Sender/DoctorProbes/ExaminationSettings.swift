package import APNSProvider

/// What a run of `apns doctor` looks at.
package struct ExaminationSettings: Sendable {
    package enum KeySource: Sendable {
        case file(path: String)
        /// The text of a key in an environment variable. It is a secret.
        case variable(name: String, text: String)
    }

    package enum Identity: Sendable {
        case key(KeySource, keyID: String?, teamID: String?)
        /// - Parameter keyPath: Nil where the key is in the file of the certificate.
        case certificate(path: String, keyPath: String?, passphrase: String?)
        case none
    }

    package var identity: Identity
    package var gateway: APNSGateway
    /// Apple's other environment; nil for another gateway.
    package var other: APNSGateway?
    package var trust = ProviderConfiguration.Trust.system
    package var proxy = ProviderConfiguration.Proxy.environment
    package var topic: String?
    package var deviceToken: String?
    package var isOffline = false
    /// Which HTTPS server is asked for its Date; nil for none.
    package var dateServer: APNSGateway?
    /// The authorities of that server's certificate.
    package var dateTrust = ProviderConfiguration.Trust.system
    /// Where provider tokens are kept; nil keeps none.
    package var tokenFolder: String?
    package var queue: (any QueueProbing)?
    /// For a TCP connect, for a TLS handshake, and for each answer.
    package var timeout = Duration.seconds(10)
    /// For the end of each file of the credentials, which may be a pipe.
    package var fileLimit = Duration.seconds(3)
    /// Seconds since 1970-01-01 UTC.
    package var now: @Sendable () -> Int64

    package init(identity: Identity, gateway: APNSGateway, now: @escaping @Sendable () -> Int64) {
        self.identity = identity
        self.gateway = gateway
        self.now = now
    }
}
