import APNSModel
import HTTP2Session

/// What a gateway said with a GOAWAY frame.
struct GoAway: Hashable {
    /// The reason in the JSON of its debug data, such as `Shutdown`.
    let reason: String?
    /// The reason; without one the name of the error code, with the debug data where it is text.
    let description: String

    private static let maximumText = 200

    init(_ code: HTTP2ErrorCode, debugData: UnsafeRawBufferPointer) {
        reason = Answer.reason(in: Array(debugData))
        let text = String(decoding: debugData, as: UTF8.self)
        description =
            reason ?? (text.isEmpty ? "\(code)" : "\(code), \(ShownText.cut(text, to: GoAway.maximumText))")
    }
}
