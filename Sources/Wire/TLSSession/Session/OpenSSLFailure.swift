internal import COpenSSL

/// The first entry of the calling thread's error queue, the one closest to the cause.
///
/// `SSL_get_error` looks at the same queue, so it is cleared before every call whose failure is asked about, and
/// drained after every failure.
struct OpenSSLFailure {
    let library: Int32
    let reason: Int32
    let text: String

    /// Takes the first entry and empties the queue.
    static func drain() -> OpenSSLFailure {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return OpenSSLFailure(library: 0, reason: 0, text: "no reason given") }
        return OpenSSLFailure(
            library: ERR_GET_LIB(code), reason: ERR_GET_REASON(code),
            text: ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)")
    }

    /// A failure that no input explains.
    static func libraryError(_ attempt: String) -> TLSError {
        TLSError(.library, "OpenSSL could not \(attempt): \(drain().text); check its configuration and the free memory")
    }
}
