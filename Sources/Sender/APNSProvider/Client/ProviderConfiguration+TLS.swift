import ProviderToken
package import TLSSession

extension ProviderConfiguration {
    /// The TLS settings of the connections: the client certificate and the trusted authorities. Throws for a gateway that
    /// cannot exist too.
    func tlsContext() throws(ProviderConfigurationError) -> TLSContext {
        if let problem = gateway.problem { throw ProviderConfigurationError(detail: problem) }
        do {
            let identity: TLSIdentity? =
                switch credentials {
                case .token, .tokens: nil
                case .certificate(let pem, let key, let passphrase):
                    try TLSIdentity(pem: pem, key: key, passphrase: passphrase)
                case .pkcs12(let bytes, let passphrase): try TLSIdentity(pkcs12: bytes, passphrase: passphrase)
                }
            return try TLSContext.client(trust: trust.authorities, identity: identity)
        } catch {
            throw ProviderConfigurationError(detail: error.description)
        }
    }

    func tokenSource() -> ProviderTokenSource? {
        switch credentials {
        case .token(let key, let keyID, let teamID): ProviderTokenSource(key: key, keyID: keyID, teamID: teamID)
        case .tokens(let source): source
        case .certificate, .pkcs12: nil
        }
    }
}

extension ProviderConfiguration.Trust {
    package var authorities: TLSTrust {
        switch self {
        case .system: .system
        case .authorities(let pem): .certificates(pem: pem)
        }
    }
}
