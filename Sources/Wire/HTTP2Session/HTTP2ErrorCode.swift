/// The code of a RST_STREAM or GOAWAY frame. Unknown codes keep their number.
///
/// Source: RFC 9113 section 7.
package struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let noError = HTTP2ErrorCode(rawValue: 0)
    package static let protocolError = HTTP2ErrorCode(rawValue: 1)
    package static let internalError = HTTP2ErrorCode(rawValue: 2)
    package static let flowControlError = HTTP2ErrorCode(rawValue: 3)
    package static let settingsTimeout = HTTP2ErrorCode(rawValue: 4)
    package static let streamClosed = HTTP2ErrorCode(rawValue: 5)
    package static let frameSizeError = HTTP2ErrorCode(rawValue: 6)
    package static let refusedStream = HTTP2ErrorCode(rawValue: 7)
    package static let cancel = HTTP2ErrorCode(rawValue: 8)
    package static let compressionError = HTTP2ErrorCode(rawValue: 9)
    package static let connectError = HTTP2ErrorCode(rawValue: 10)
    package static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)
    package static let inadequateSecurity = HTTP2ErrorCode(rawValue: 12)
    package static let http11Required = HTTP2ErrorCode(rawValue: 13)

    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]
}

extension HTTP2ErrorCode {
    /// What a peer did to whom this code was sent, where nghttp2 says no more.
    package var fault: String? {
        switch self {
        case .frameSizeError: "a frame of a length that is not allowed"
        case .compressionError: "a header block that cannot be decoded"
        case .flowControlError: "more data, or a larger window, than flow control allows"
        case .streamClosed: "a frame on a closed stream"
        default: nil
        }
    }
}

extension HTTP2ErrorCode: CustomStringConvertible {
    package var description: String {
        rawValue < HTTP2ErrorCode.names.count ? HTTP2ErrorCode.names[Int(rawValue)] : "error code \(rawValue)"
    }
}
