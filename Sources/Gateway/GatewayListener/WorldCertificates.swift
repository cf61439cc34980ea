import GatewayCore
import Synchronization
package import TLSSession

/// A server certificate for the host of each world, made when a client first asks for it.
///
/// The gateway's own certificate has the name `*.localhost`. OpenSSL, curl and Node do not accept it for a host directly
/// below `localhost`, because they want two labels after a wildcard.
package final class WorldCertificates: Sendable {
    private let authority: DevelopmentAuthority
    private let validity: CertificateValidity
    private let made = Mutex<[String: TLSIdentity]>([:])
    private let maximum: Int

    package init(_ authority: DevelopmentAuthority, _ validity: CertificateValidity, maximum: Int) {
        self.authority = authority
        self.validity = validity
        self.maximum = maximum
    }

    /// Nil for a host that is not below `localhost`. A host that cannot name a world gets a certificate as well, so that its
    /// sender gets as far as the error about the name.
    package func identity(for host: String) -> TLSIdentity? {
        guard let name = WorldName(host: host)?.host ?? (WorldName.isInvalid(host: host) ? host : nil) else {
            return nil
        }
        if let known = made.withLock({ $0[name] }) { return known }
        guard let identity = try? authority.server(host: name, validity: validity) else { return nil }
        made.withLock { made in
            // Drops the certificates of removed worlds. Making the others again costs little.
            if made.count >= maximum { made.removeAll() }
            made[name] = identity
        }
        return identity
    }
}
