/// The certificate authorities that are trusted. No value turns verification off.
package enum TLSTrust: Sendable {
    /// The store that OpenSSL was configured with; `SSL_CERT_FILE` and `SSL_CERT_DIR` override it.
    case system
    /// Only these, one or more PEM certificates. An intermediate or a self-signed server certificate is trusted too.
    case certificates(pem: [UInt8])
}
