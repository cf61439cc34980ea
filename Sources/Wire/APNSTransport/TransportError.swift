internal import TLSSession

/// Why a connection could not be made, or was closed.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// No TCP connection: refused, unreachable, or the host name is unknown.
        case connectFailed
        /// TCP is connected, but TLS or the agreement on HTTP/2 failed.
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

    package init(_ code: Code, _ detail: String, isPermanent: Bool = false) {
        self.code = code
        self.detail = detail
        self.isPermanent = isPermanent
    }

    package var description: String { detail }
}

extension TLSError {
    /// Whether the next handshake with this peer would fail the same way.
    var isPermanent: Bool {
        switch code {
        case .truncated, .closed, .overflow, .protocolViolation: false
        case .peerAlert: alert != 80 && alert != 90  // internal_error and user_canceled (RFC 8446, 6.2)
        default: true
        }
    }
}
