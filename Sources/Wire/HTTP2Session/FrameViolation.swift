/// A limit that a peer exceeded, or a rule that it broke, which ends the connection.
package enum FrameViolation: String, Hashable, Sendable {
    case resets = "too many RST_STREAM frames"
    case pings = "too many PING frames"
    case settings = "too many SETTINGS frames"
    case emptyData = "too many empty DATA frames"
    case continuations = "too many CONTINUATION frames"
    case windowUpdates = "too many WINDOW_UPDATE frames for its data"
    case goAways = "too many GOAWAY frames"
    case others = "too many PRIORITY or unknown frames"
    case unread = "too many answers that the peer does not read"
    case unreadAcknowledgements = "too many PING or SETTINGS frames whose acknowledgements the peer does not read"
    /// RFC 9113 6.6. nghttp2 would accept it from a server that has not acknowledged the client's SETTINGS.
    case pushPromise = "PUSH_PROMISE, although this side has turned push off"
    /// RFC 9113 5.1, half-closed (remote) and closed.
    case closedStream = "DATA or HEADERS on a stream that the peer has ended"
    /// RFC 9113 5.1.1.
    case lowerStreamID = "a new stream with a lower id than an earlier one"

    /// The error code for the peer.
    package var code: HTTP2ErrorCode {
        switch self {
        case .closedStream: .streamClosed
        case .lowerStreamID, .pushPromise: .protocolError
        default: .enhanceYourCalm
        }
    }
}
