package import HTTP2Session
package import TLSSession

/// Why a connection could not be made, or was closed.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// No TCP connection: refused, unreachable, or the host name is unknown.
        case connectFailed
        /// TCP is connected, but TLS or the agreement on HTTP/2 failed. The peer has processed nothing that was sent.
        case handshakeFailed
        /// The peer ended or reset the connection.
        case closedByPeer
        /// The peer broke TLS or HTTP/2.
        case protocolViolation
        /// The peer sent nothing for too long.
        case silent
        /// This side closed it.
        case closedHere
    }

    package let code: Code
    package let detail: String
    /// Whether a new attempt would fail the same way: a certificate that is not trusted, a peer without HTTP/2.
    package let isPermanent: Bool

    /// What was wrong with TLS; nil for any other cause.
    package let tlsCode: TLSError.Code?

    /// Whether the peer refused this side's certificate, or wants one.
    package let refusesCertificate: Bool

    package init(
        _ code: Code, _ detail: String, isPermanent: Bool = false, tlsCode: TLSError.Code? = nil,
        refusesCertificate: Bool = false
    ) {
        self.code = code
        self.detail = detail
        self.isPermanent = isPermanent
        self.tlsCode = tlsCode
        self.refusesCertificate = refusesCertificate
    }

    package var description: String { detail }
}

extension TransportError {
    /// - Parameter violation: What the peer did, as `HTTP2Session.violation` says it.
    package init(violation: String) {
        self.init(.protocolViolation, "the peer broke HTTP/2: \(violation)")
    }

    package init(_ error: HTTP2Error) {
        self.init(.protocolViolation, error.detail, isPermanent: error.code == .notHTTP2)
    }

    init(_ error: TLSError, isHandshake: Bool) {
        self.init(
            isHandshake ? .handshakeFailed : .protocolViolation, error.description,
            isPermanent: isHandshake && error.isPermanent, tlsCode: error.code,
            refusesCertificate: error.refusesCertificate)
    }
}

extension TLSError {
    /// Whether the peer refused this side's certificate, or wants one (the alerts of RFC 8446, 6.2, about certificates).
    /// Without renegotiation and later authentication, which HTTP/2 forbids, that ends the handshake.
    var refusesCertificate: Bool {
        guard code == .peerAlert, let alert else { return false }
        return [42, 43, 44, 45, 46, 48, 116].contains(alert)
    }

    /// Whether the next handshake with this peer would fail the same way.
    var isPermanent: Bool {
        switch code {
        case .truncated, .handshakeEnded, .closed, .overflow, .protocolViolation: false
        case .peerAlert: alert != 80 && alert != 90  // internal_error and user_canceled (RFC 8446, 6.2)
        default: true
        }
    }
}
