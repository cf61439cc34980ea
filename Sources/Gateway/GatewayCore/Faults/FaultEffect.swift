package import APNSModel

/// What goes wrong (docs/reference/interfaces.md 2.1).
package enum FaultEffect: Hashable, Sendable, Codable {
    /// This answer instead of a verdict.
    ///
    /// - Parameter streams: The SETTINGS_MAX_CONCURRENT_STREAMS that is sent before it, and stays until the next good
    ///   credentials; nil for none.
    case refuse(Reason, streams: UInt32? = nil)
    /// The request is judged when it comes, and its answer is delayed.
    case delay(FaultDelay)
    /// No answer. The stream stays open.
    case silence(Moment)
    /// RST_STREAM with this code instead of an answer.
    case reset(code: UInt32, Moment)
    case goAway(GoAwayFault)
    /// The connection is closed without a GOAWAY.
    ///
    /// - Parameter isReset: With TCP's RST, and without the end of TLS.
    case disconnect(Moment, isReset: Bool = false)
    /// The gateway stops reading from the connection and writing to it; the socket stays open.
    case halfOpen(Moment)
    /// A new SETTINGS_MAX_CONCURRENT_STREAMS. The request is judged as usual, and the connection keeps this limit until
    /// another rule changes it.
    case maximumConcurrentStreams(UInt32)
    /// A new SETTINGS_INITIAL_WINDOW_SIZE: how many bytes of a body may come before the sender has to wait. The request is
    /// judged as usual.
    case window(WindowFault)
    /// An accepted notification is never delivered.
    case lose
    /// An accepted notification is delivered this many times.
    case duplicate(Int)
    /// The device goes offline before the delivery, and comes back after this time; nil if it does not come back by itself.
    case offline(FaultDelay?)
    /// The app is removed from the device when the request is accepted, and the gateway learns of it after this time.
    case uninstall(noticedAfter: FaultDelay)
    /// The head of the answer is sent at once; its body follows byte by byte, and ends after this time.
    case slowBody(FaultDelay)
    /// TLS of a new connection begins after this time.
    case slowAccept(FaultDelay)

    /// Whether a request that gets no answer was judged.
    package enum Moment: Hashable, Sendable, Codable {
        /// It was not judged, so nothing is accepted.
        case before
        /// It was judged: it may be accepted and delivered, and its sender cannot know.
        case after
    }

    /// How often one notification may be delivered.
    package static let copies = 2...100
}

/// A smaller window for the bodies of requests.
package struct WindowFault: Hashable, Sendable, Codable {
    /// 0 closes the window; a few bytes make bodies come in small pieces.
    package var bytes: UInt32
    /// How long it lasts; nil until its rule is removed.
    package var time: FaultDelay?

    package init(bytes: UInt32, time: FaultDelay? = nil) {
        self.bytes = bytes
        self.time = time
    }

    package static let range: ClosedRange<Int64> = 0...Int64(Int32.max)
}

/// A GOAWAY of a fault rule.
package struct GoAwayFault: Hashable, Sendable, Codable {
    /// The last stream of the frame: requests up to it are still answered.
    package enum LastStream: String, Hashable, Sendable, CaseIterable, Codable {
        /// The stream of the request that was hit.
        case this
        /// The one before it, so that the request is not processed.
        case previous
        /// 2^31-1: every stream, including those that have not begun.
        case all
    }

    package enum Closing: Hashable, Sendable, Codable {
        /// The connection stays open.
        case never
        /// Once everything up to the last stream is answered.
        case whenDone
        /// At once: no open request is answered, not even the one that was hit.
        case now
    }

    /// Goes into the debug data.
    package var reason: Reason
    package var lastStream: LastStream
    /// Whether a GOAWAY with 2^31-1 is sent before the final one.
    package var isTwice: Bool
    package var closing: Closing
    /// The error code of the frame; 0 is NO_ERROR.
    package var code: UInt32

    package init(
        reason: Reason = .shutdown, lastStream: LastStream = .this, isTwice: Bool = false,
        closing: Closing = .whenDone, code: UInt32 = 0
    ) {
        self.reason = reason
        self.lastStream = lastStream
        self.isTwice = isTwice
        self.closing = closing
        self.code = code
    }
}

extension FaultEffect {
    /// What the journal says about it.
    var why: String {
        switch self {
        case .refuse(let reason, let streams):
            "a fault rule refused it with \(reason.code) instead of judging it"
                + (streams.map { ", and set the connection's stream limit to \($0)" } ?? "")
        case .delay(.never): "it was judged and is never answered"
        case .delay: "the answer is delayed"
        case .silence(.before): "it was not judged and is never answered"
        case .silence(.after): "it was judged and is never answered"
        case .reset(let code, .before): "its stream was reset with the code \(code) before it was judged"
        case .reset(let code, .after): "it was judged, and then its stream was reset with the code \(code)"
        case .goAway(let fault): fault.why
        case .disconnect(.before, let isReset): "the connection was \(isReset ? "reset" : "cut") before it was judged"
        case .disconnect(.after, let isReset):
            "it was judged, and then the connection was \(isReset ? "reset" : "cut") before the answer"
        case .halfOpen(.before): "the connection stopped in both directions before it was judged"
        case .halfOpen(.after): "it was judged, and then the connection stopped in both directions"
        case .maximumConcurrentStreams(let limit): "the connection's stream limit was set to \(limit)"
        case .window(let fault): "the connection's window was set to \(fault.bytes) bytes"
        case .lose: "it is lost on its way to the device"
        case .duplicate(let count): "it is delivered \(count) times"
        case .offline: "its device went offline"
        case .uninstall: "the app was removed from its device, and the gateway has not noticed yet"
        case .slowBody: "the body of its answer is sent slowly"
        case .slowAccept: "TLS of its connection was delayed"
        }
    }

    /// Whether the request is not judged.
    var takesPlaceOfJudging: Bool {
        switch self {
        case .silence(.before), .reset(_, .before), .disconnect(.before, _), .halfOpen(.before): true
        case .goAway(let fault): fault.lastStream == .previous
        default: false
        }
    }

    /// Whether it only changes how the answer reaches a sender, so that it does not concern a request of the control API.
    var isOnlyForSenders: Bool {
        switch self {
        case .maximumConcurrentStreams, .window, .slowBody: true
        case .delay(let delay): delay != .never
        case .goAway(let fault): fault.lastStream != .previous && fault.closing != .now
        default: false
        }
    }

    /// Whether a request that it hits is judged, but never answered.
    var withholdsAnswer: Bool {
        switch self {
        case .silence(.after), .reset(_, .after), .disconnect(.after, _), .halfOpen(.after), .delay(.never): true
        case .goAway(let fault): fault.lastStream != .previous && fault.closing == .now
        default: false
        }
    }

    /// How often an accepted notification is delivered.
    var copies: Int { if case .duplicate(let count) = self { count } else { 1 } }

    /// Whether it hits new connections and not requests.
    package var isForConnections: Bool { if case .slowAccept = self { true } else { false } }
}

extension GoAwayFault {
    fileprivate var why: String {
        if lastStream == .previous {
            return "a GOAWAY with \(reason.code) told its sender that it is not processed, and it was not judged"
        }
        return closing == .now
            ? "it was judged, and then the connection was closed with a GOAWAY of \(reason.code) before the answer"
            : "a GOAWAY with \(reason.code) was sent with its answer"
    }
}
