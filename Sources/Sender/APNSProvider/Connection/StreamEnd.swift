import HTTP2Session

extension HTTP2EventBatch {
    /// Why `stream` was reset by this side, as a sentence; nil when this side did not reset it.
    func causeOfResetHere(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) -> String? {
        guard let reset = resetsHere.first(where: { $0.streamID == stream.id }) else { return nil }
        return "the answer broke HTTP/2, so its stream was reset here (\(code))"
            + (reset.reason.isEmpty ? code.fault.map { ": \($0)" } ?? "" : ": \(reset.reason)")
    }
}
