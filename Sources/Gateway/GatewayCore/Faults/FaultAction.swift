package import APNSModel

/// What the shell does to the request that was hit, or to its connection, beyond or in place of the answer. Times are the
/// world's, in milliseconds since 1970.
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

    /// Whether it keeps the answer from going out as soon as it is made.
    var delaysAnswer: Bool {
        switch self {
        case .window, .goAway: false
        case .hold, .slowBody, .silence, .reset, .disconnect, .halfOpen: true
        }
    }
}

/// GOAWAY frames to be written behind the answers before them.
package struct GoAwayOrder: Hashable, Sendable {
    package let reason: Reason
    package let code: UInt32
    /// What each frame says, in order; empty where all of it was said before.
    package let lastStreams: [Int32]
    package let closing: GoAwayFault.Closing

    package var debugData: [UInt8] { GatewayResponse.body(reason) }
}

/// A SETTINGS_INITIAL_WINDOW_SIZE to be sent with the answer, and when to take it back.
package struct WindowOrder: Hashable, Sendable {
    package let bytes: UInt32
    /// Nil where only the end of its rule takes it back.
    package let until: Int64?
    /// Of the rule, whose removal takes it back as well.
    package let faultID: String
}
