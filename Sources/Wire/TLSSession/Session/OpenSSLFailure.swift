internal import COpenSSL

/// The first entry of the calling thread's error queue, which is closest to the cause.
///
/// `SSL_get_error` reads the same queue. So it is cleared before each call that may fail, and emptied after each failure:
/// an old entry would be taken for the cause.
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

    /// A failure that no input causes.
    static func libraryError(_ attempt: String) -> TLSError {
        TLSError(.library, "OpenSSL could not \(attempt): \(drain().text); check its configuration and the free memory")
    }
}
