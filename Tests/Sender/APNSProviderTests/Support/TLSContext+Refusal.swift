import COpenSSL

@testable import TLSSession

extension TLSContext {
    /// Makes a server demand a client certificate and accept none. With TLS 1.3 its alert comes after the client's side of
    /// the handshake is done.
    func refuseClients() {
        SSL_CTX_set_verify(handle.raw, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        SSL_CTX_set_cert_verify_callback(
            handle.raw,
            { store, _ in
                X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REVOKED)
                return 0
            }, nil)
    }
}
