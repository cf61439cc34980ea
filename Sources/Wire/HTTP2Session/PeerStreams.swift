/// Which of the peer's streams have begun, and which of them the peer has ended itself, for the newest `window` stream ids.
///
/// nghttp2 forgets a stream when it is closed, because a connection may have millions of them, and then ignores frames for
/// it. This record finds DATA and HEADERS that a client sends on a stream after it has ended the stream. A stream that only
/// this side has reset is not ended: the client may not know of the reset yet. What is older than the window is left to
/// nghttp2.
struct PeerStreams: Sendable {
    /// A power of two.
    static let window = 2048

    /// A client's stream ids are odd, so `id >> 1` counts them.
    private var newest = -1
    private var begun = [UInt64](repeating: 0, count: window / 64)
    private var ended = [UInt64](repeating: 0, count: window / 64)

    /// Records a frame of the client.
    ///
    /// - Returns: The rule that the frame breaks, or nil. Frames on idle streams and with wrong ids are left to nghttp2.
    mutating func frame(type: UInt8, endsStream: Bool, id: UInt32) -> FrameViolation? {
        guard id & 1 == 1 else { return nil }
        let number = Int(id >> 1)
        switch type {
        case 0: return number > newest ? nil : data(number, endsStream: endsStream)
        case 1:
            guard number <= newest else {
                begin(number)
                if endsStream { end(number) }
                return nil
            }
            guard isKnown(number) else { return nil }
            return has(begun, number) ? data(number, endsStream: endsStream) : .lowerStreamID
        case 3:
            if isKnown(number) { end(number) }
            return nil
        default: return nil
        }
    }

    /// DATA or trailers on a stream that is not newer than the newest one.
    private mutating func data(_ number: Int, endsStream: Bool) -> FrameViolation? {
        guard isKnown(number) else { return nil }
        if has(ended, number) || !has(begun, number) { return .closedStream }
        if endsStream { end(number) }
        return nil
    }

    private func isKnown(_ number: Int) -> Bool { number <= newest && number > newest - PeerStreams.window }

    private mutating func begin(_ number: Int) {
        // Streams that are left out have not begun and never will (RFC 9113 5.1.1).
        for skipped in max(newest + 1, number - PeerStreams.window + 1)..<number { clear(skipped) }
        clear(number)
        newest = number
        begun[word(number)] |= bit(number)
    }

    private mutating func end(_ number: Int) { ended[word(number)] |= bit(number) }

    private mutating func clear(_ number: Int) {
        begun[word(number)] &= ~bit(number)
        ended[word(number)] &= ~bit(number)
    }

    private func has(_ set: [UInt64], _ number: Int) -> Bool { set[word(number)] & bit(number) != 0 }
    private func word(_ number: Int) -> Int { (number & (PeerStreams.window - 1)) >> 6 }
    private func bit(_ number: Int) -> UInt64 { 1 << UInt64(number & 63) }
}
