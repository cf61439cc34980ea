/// Why a session cannot continue.
package struct HTTP2Error: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// The bytes are not HTTP/2, for instance an HTTP/1.1 response or a wrong connection preface.
        case notHTTP2
        /// The peer broke a rule of HTTP/2, and nghttp2 cannot answer with a GOAWAY.
        case protocolViolation
        case outOfMemory
        /// All stream ids are used; a new connection is needed.
        case streamIDsExhausted
        /// Our own header fields are too large to send.
        case headerListTooLarge
        /// The session has sent or received a final GOAWAY, so no new stream may start.
        case closing
    }

    package let code: Code
    package let detail: String

    package var description: String { "\(code): \(detail)" }
}
