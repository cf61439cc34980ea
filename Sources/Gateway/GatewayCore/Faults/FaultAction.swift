package import APNSModel

/// What the transport does to the request that a fault rule hit, or to its connection, beside the answer or instead of it.
/// Times are the world's, in milliseconds since 1970.
package enum FaultAction: Hashable, Sendable {
    /// Answer at this time.
    case hold(until: Int64)
    /// Send the head of the answer now, and its body in even steps up to `until`; nil for never.
    case slowBody(from: Int64, until: Int64?)
    case silence
    case reset(code: UInt32)
    /// - Parameter isReset: With TCP's RST.
    case disconnect(isReset: Bool)
    case halfOpen
    case goAway(GoAwayOrder)
    case window(WindowOrder)

    /// Whether the answer is not sent at once.
    var delaysAnswer: Bool {
        switch self {
        case .window, .goAway: false
        case .hold, .slowBody, .silence, .reset, .disconnect, .halfOpen: true
        }
    }
}

/// GOAWAY frames to send after the answers before them.
package struct GoAwayOrder: Hashable, Sendable {
    package let reason: Reason
    package let code: UInt32
    /// The last stream of each frame, in order; empty if none would say anything new.
    package let lastStreams: [Int32]
    package let closing: GoAwayFault.Closing

    package var debugData: [UInt8] { GatewayResponse.body(reason) }
}

/// A SETTINGS_INITIAL_WINDOW_SIZE to send with the answer, and when to restore the usual one.
package struct WindowOrder: Hashable, Sendable {
    package let bytes: UInt32
    /// Nil if only the removal of its rule restores it.
    package let until: Int64?
    /// The id of the rule, whose removal restores it as well.
    package let faultID: String
}
