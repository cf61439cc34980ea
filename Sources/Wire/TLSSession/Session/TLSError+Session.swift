internal import COpenSSL

extension TLSError {
    /// The error for a failed call on a session.
    ///
    /// - Parameters:
    ///   - status: The result of `SSL_get_error` for the call.
    ///   - isHandshakeDone: Whether the handshake was done. Then plain text does not indicate a wrong port.
    init(_ status: Int32, of session: borrowing TLSHandle, wantedName: String?, isHandshakeDone: Bool) {
        let failure = OpenSSLFailure.drain()
        let isAlert = failure.library == ERR_LIB_SSL && failure.reason > SSL_AD_REASON_OFFSET
        if isAlert {
            self = .fromPeer(alert: UInt8(truncatingIfNeeded: failure.reason - SSL_AD_REASON_OFFSET))
        } else if failure.library == ERR_LIB_SSL, failure.reason == SSL_R_CERTIFICATE_VERIFY_FAILED {
            self = .verification(of: session, wantedName: wantedName)
        } else if status == SSL_ERROR_SYSCALL {
            self = .truncation(isHandshakeDone)
        } else {
            self = .fromLibrary(
                failure, role: session.role, isHandshakeDone: isHandshakeDone)
        }
    }

    private static func truncation(_ isHandshakeDone: Bool) -> TLSError {
        isHandshakeDone
            ? TLSError(
                .truncated, "the peer ended the connection without a TLS close_notify; its last bytes may be missing")
            : TLSError(
                .handshakeEnded,
                "the peer ended the connection during the TLS handshake; check host and port, and that it speaks TLS")
    }

    private static func fromLibrary(_ failure: OpenSSLFailure, role: TLSContext.Role, isHandshakeDone: Bool) -> TLSError
    {
        guard failure.library == ERR_LIB_SSL else {
            return TLSError(.protocolViolation, "the TLS connection failed: \(failure.text); reconnect")
        }
        switch failure.reason {
        case SSL_R_UNEXPECTED_EOF_WHILE_READING: return truncation(isHandshakeDone)
        case SSL_R_WRONG_VERSION_NUMBER where !isHandshakeDone, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST:
            return TLSError(
                .notTLS,
                role == .client
                    ? "the server does not speak TLS (it may be a plain HTTP port); check host and port"
                    : "the client does not speak TLS; it must use https")
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_NO_PROTOCOLS_AVAILABLE, SSL_R_VERSION_TOO_LOW, SSL_R_VERSION_TOO_HIGH:
            return TLSError(
                .protocolVersion, "the two ends share no TLS version; both must allow TLS 1.2 or TLS 1.3")
        case SSL_R_NO_APPLICATION_PROTOCOL:
            return TLSError(.noSharedProtocol, "the client offers protocols in ALPN, but not h2; it must speak HTTP/2")
        case SSL_R_PROTOCOL_IS_SHUTDOWN:
            return TLSError(.closed, "this end of the connection is closed already; send on a new one")
        default:
            return TLSError(
                .protocolViolation,
                "the peer or something on the way broke the TLS protocol: \(failure.text); reconnect")
        }
    }

    private static func fromPeer(alert: UInt8) -> TLSError {
        let name = String(cString: SSL_alert_desc_string_long(Int32(alert)))
        switch Int32(alert) {
        case SSL3_AD_BAD_CERTIFICATE, SSL3_AD_UNSUPPORTED_CERTIFICATE, SSL3_AD_CERTIFICATE_REVOKED,
            SSL3_AD_CERTIFICATE_EXPIRED, SSL3_AD_CERTIFICATE_UNKNOWN, TLS1_AD_UNKNOWN_CA:
            return TLSError(.peerAlert, "the peer refused our certificate: \(name)", alert: alert)
        case TLS13_AD_CERTIFICATE_REQUIRED:
            return TLSError(.peerAlert, "the peer wants a certificate and got none: \(name)", alert: alert)
        case TLS1_AD_PROTOCOL_VERSION:
            return TLSError(
                .protocolVersion, "the two ends share no TLS version; both must allow TLS 1.2 or TLS 1.3", alert: alert)
        case TLS1_AD_NO_APPLICATION_PROTOCOL:
            return TLSError(
                .noSharedProtocol, "the server speaks none of the offered protocols; it must speak h2 (HTTP/2)",
                alert: alert)
        default: return TLSError(.peerAlert, "the peer ended the connection with the alert: \(name)", alert: alert)
        }
    }
}
