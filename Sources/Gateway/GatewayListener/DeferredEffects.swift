import GatewayCore
import HTTP2Session

/// What fault rules have put off on one connection, by the world's clock. Milliseconds since 1970.
struct DeferredEffects {
    /// Answers that are held back.
    var answers = HeldAnswers()
    /// Answers of which the head is sent.
    var bodies = SlowBodies()
    /// The window that requests have at the moment, when it is not the usual one.
    var window: WindowOrder?

    var hasAnswers: Bool { answers.count > 0 || !bodies.isEmpty }
    var isEmpty: Bool { !hasAnswers && window == nil }

    /// When something is due next; nil when nothing is by itself.
    var nextDue: Int64? {
        [answers.nextDue, bodies.nextDue, window?.until].compactMap { $0 }.min()
    }

    /// The stream is closed.
    mutating func drop(_ stream: HTTP2Stream) {
        if answers.count > 0 { answers.drop(stream) }
        bodies.drop(stream)
    }
}
