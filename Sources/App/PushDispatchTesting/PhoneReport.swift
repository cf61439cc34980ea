public import PushDispatch

/// What a phone did with one push, and what the app answered.
public struct PhoneReport: Sendable {
    public enum Delivery: String, Hashable, Sendable {
        case delivered
        /// The push waits on the phone or at APNs.
        case held
        /// The push is lost.
        case dropped
    }

    public let push: Push
    public internal(set) var delivery = Delivery.delivered
    /// The callbacks that ran, in the order in which the system called them.
    public internal(set) var callbacks: [EntryPoint] = []
    /// Whether the user saw the notification: the system showed it, or the app asked for that while on screen.
    public internal(set) var isShown = false
    /// Whether the system had to launch the app.
    public internal(set) var hasLaunched = false
    /// Why the fetch callback did not run; nil if it did.
    public internal(set) var whyNoFetch: String?
    /// In the order in which they came.
    public internal(set) var answers: [PhoneAnswer] = []
    /// What the app did wrong until the last callback was answered.
    public internal(set) var problems: [PhoneProblem] = []

    init(_ push: Push) { self.push = push }

    public var isHeld: Bool { delivery == .held }
    public var isDropped: Bool { delivery == .dropped }

    private var answer: PhoneAnswer? {
        answers.first { $0.entryPoint == .background } ?? answers.first { $0.result != nil }
    }

    /// The app's answer to the fetch callback. If that did not run, the result of the dispatcher.
    ///
    /// - Throws: `PhoneError` that says why there is no answer.
    public var result: PushResult {
        get throws {
            guard let result = answer?.result else { throw noAnswer }
            return result
        }
    }

    /// How long the app took for that answer, in the phone's time.
    public var milliseconds: Int64 {
        get throws {
            guard let answer else { throw noAnswer }
            return answer.milliseconds
        }
    }

    private var noAnswer: PhoneError {
        PhoneError(.noAnswer, whyNoFetch ?? problems.first?.description ?? "the fetch callback was not answered")
    }

    /// - Throws: `PhoneError` with everything that the app did wrong.
    public func check() throws { try PhoneReport.check(problems) }

    static func check(_ problems: [PhoneProblem]) throws {
        guard !problems.isEmpty else { return }
        throw PhoneError(.problems, problems.map(\.description).joined(separator: "; "))
    }
}

extension PhoneReport: CustomStringConvertible {
    public var description: String {
        var parts: [String] = []
        if delivery != .delivered { parts.append(delivery.rawValue) }
        if isShown { parts.append("shown") }
        if hasLaunched { parts.append("launched the app") }
        for callback in callbacks {
            let answer = answers.first { $0.entryPoint == callback }
            let outcome = answer.map { ": \($0.result.map { "\($0.rawValue) " } ?? "")after \($0.milliseconds) ms" }
            parts.append(callback.callback + (outcome ?? ": no answer"))
        }
        if let whyNoFetch { parts.append(whyNoFetch) }
        parts += problems.map(\.description)
        return parts.joined(separator: "; ")
    }
}
