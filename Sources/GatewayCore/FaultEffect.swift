package import APNSModel

/// What goes wrong (interfaces.md 2.1).
package enum FaultEffect: Hashable, Sendable {
    /// This answer, in place of a verdict.
    case refuse(Reason)
    /// The request is judged when it comes, and its answer held back.
    case delay(FaultDelay)
    /// No answer, ever. The stream stays open.
    case silence(Moment)
    /// RST_STREAM with this code in place of an answer.
    case reset(code: UInt32, Moment)
    case goAway(GoAwayFault)
    /// The connection is closed without a GOAWAY.
    case disconnect(Moment)
    /// A new SETTINGS_MAX_CONCURRENT_STREAMS. The request is judged as usual, and the connection keeps this limit until
    /// another rule changes it.
    case maximumConcurrentStreams(UInt32)

    /// Whether a request that gets no answer was judged.
    package enum Moment: Hashable, Sendable {
        /// It was not: nothing of it is accepted.
        case before
        /// It was: it may be accepted and delivered, and its sender cannot know.
        case after
    }
}

/// How GOAWAY is said.
package struct GoAwayFault: Hashable, Sendable {
    /// The last stream that is still answered.
    package enum LastStream: String, Hashable, Sendable, CaseIterable {
        /// That of the request which was hit.
        case this
        /// The one before it, so that the request is not processed.
        case previous
        /// 2^31-1: every stream, also those that have not begun.
        case all
    }

    /// Goes into the debug data.
    package var reason: Reason
    package var lastStream: LastStream
    /// Whether a GOAWAY with 2^31-1 goes ahead of the final one.
    package var isTwice: Bool
    /// Whether the connection is closed once everything up to the last stream is answered. It stays open otherwise.
    package var closes: Bool

    package init(
        reason: Reason = .shutdown, lastStream: LastStream = .this, isTwice: Bool = false, closes: Bool = true
    ) {
        self.reason = reason
        self.lastStream = lastStream
        self.isTwice = isTwice
        self.closes = closes
    }
}

/// What the shell does to the request that was hit, beyond or in place of its answer.
package enum FaultAction: Hashable, Sendable {
    /// Answer when the world's clock shows this time. Milliseconds since 1970.
    case hold(until: Int64)
    case silence
    case reset(code: UInt32)
    case disconnect
    case goAway(GoAwayOrder)
}

/// GOAWAY frames to be written behind the answers before them.
package struct GoAwayOrder: Hashable, Sendable {
    package let reason: Reason
    /// What each frame says, in order; empty where all of it was said before.
    package let lastStreams: [Int32]
    package let closes: Bool

    package var debugData: [UInt8] { GatewayResponse.body(reason) }
}

extension FaultEffect {
    /// What the journal says of it.
    var why: String {
        switch self {
        case .refuse(let reason): "a fault rule refused it with \(reason.code) in place of a verdict"
        case .delay: "the answer is held back"
        case .silence(.before): "it was not judged and is never answered"
        case .silence(.after): "it was judged and is never answered"
        case .reset(let code, .before): "its stream was reset with the code \(code) before it was judged"
        case .reset(let code, .after): "it was judged, and then its stream was reset with the code \(code)"
        case .goAway(let fault):
            fault.lastStream == .previous
                ? "a GOAWAY with \(fault.reason.code) said that it is not processed, and it was not judged"
                : "a GOAWAY with \(fault.reason.code) went out with its answer"
        case .disconnect(.before): "the connection was cut before it was judged"
        case .disconnect(.after): "it was judged, and then the connection was cut before the answer"
        case .maximumConcurrentStreams(let limit): "the connection was given \(limit) streams at a time"
        }
    }

    /// Whether the request is not judged.
    var takesPlaceOfJudging: Bool {
        switch self {
        case .silence(.before), .reset(_, .before), .disconnect(.before): true
        case .goAway(let fault): fault.lastStream == .previous
        case .refuse, .delay, .silence, .reset, .disconnect, .maximumConcurrentStreams: false
        }
    }
}
