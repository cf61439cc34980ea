package import TLSSession

/// An HTTP proxy that opens a tunnel with CONNECT (RFC 9110 9.3.6).
package struct TransportProxy: Hashable, Sendable {
    package var host: String
    package var port: Int
    /// The value of the header `proxy-authorization`, in printable ASCII; nil sends none. It is a secret.
    package var authorization: String?
    /// How the proxy's own certificate is verified, which must have the name `host`; nil for a proxy without TLS. TLS with
    /// the gateway is inside it.
    package var tls: TLSContext?

    package init(host: String, port: Int, authorization: String? = nil, tls: TLSContext? = nil) {
        self.host = host
        self.port = port
        self.authorization = authorization
        self.tls = tls
    }

    /// Two are equal if they have the same context, not one with the same settings.
    package static func == (left: TransportProxy, right: TransportProxy) -> Bool {
        left.host == right.host && left.port == right.port && left.authorization == right.authorization
            && left.tls === right.tls
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(port)
    }

    /// Host and port, for messages.
    package var name: String { TransportProxy.authority(host, port) }

    /// Host and port as a URL has them.
    static func authority(_ host: String, _ port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// The request for a tunnel to `target`, which has the form `host:port`.
    func request(for target: String) -> String {
        let authorization = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        return "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(authorization)\r\n"
    }
}

extension TransportProxy: CustomStringConvertible, CustomReflectable {
    package var description: String { name }
    package var customMirror: Mirror { Mirror(self, children: ["host": host, "port": port]) }
}
