import GatewayCore
import Synchronization
package import TLSSession

/// The server certificates of a gateway: one for the host of each world, made when a client first asks for it, and the one
/// that is shown in place of the gateway's own when that was renewed.
///
/// The gateway's own certificate has the name `*.localhost`. OpenSSL, curl and Node do not accept it for a host directly
/// below `localhost`, because they want two labels after a wildcard.
package final class WorldCertificates: Sendable {
    private struct State {
        var validity: CertificateValidity
        var renewed: TLSIdentity?
        var made: [String: TLSIdentity] = [:]
    }

    private let authority: DevelopmentAuthority
    private let state: Mutex<State>
    private let maximum: Int

    package init(_ authority: DevelopmentAuthority, _ validity: CertificateValidity, maximum: Int) {
        self.authority = authority
        self.maximum = maximum
        state = Mutex(State(validity: validity))
    }

    /// Shows clients that connect from now on a renewed certificate, and makes those of worlds again. Open connections stay.
    package func use(_ renewed: TLSIdentity) {
        let facts = renewed.certificate
        let validity = CertificateValidity(notBefore: facts.notBefore, notAfter: facts.notAfter)
        state.withLock { $0 = State(validity: validity, renewed: renewed) }
    }

    /// The certificate for a client that asks for a host. A host that cannot name a world gets one as well, so that its sender
    /// gets as far as the error about the name.
    ///
    /// - Parameter host: Nil for a client that asks for none.
    /// - Returns: Nil for the certificate with which the gateway started.
    package func identity(for host: String?) -> TLSIdentity? {
        let name = host.flatMap { WorldName(host: $0)?.host ?? (WorldName.isInvalid(host: $0) ? $0 : nil) }
        guard let name else { return state.withLock { $0.renewed } }
        let (known, validity) = state.withLock { ($0.made[name], $0.validity) }
        if let known { return known }
        guard let identity = try? authority.server(host: name, validity: validity) else { return nil }
        state.withLock { state in
            // Unless the certificate was renewed meanwhile.
            guard state.validity == validity else { return }
            // Drops the certificates of removed worlds. Making the others again costs little.
            if state.made.count >= maximum { state.made.removeAll() }
            state.made[name] = identity
        }
        return identity
    }
}
