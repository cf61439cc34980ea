public import PushDispatch

/// What a phone did with one push, and what the app answered.
public struct PhoneReport: Sendable {
    public let push: Push
    /// The callbacks that ran, in the order in which the system called them.
    public internal(set) var callbacks: [EntryPoint] = []
    /// Whether its user saw it: shown by the system, or by the app's wish while it was in front.
    public internal(set) var isShown = false
    /// Whether it waits on the phone or the way to it, or is gone for good.
    public internal(set) var isHeld = false
    public internal(set) var isDropped = false
    /// Whether the system had to launch the app for it.
    public internal(set) var hasLaunched = false
    /// Why the fetch callback did not run; nil where it did.
    public internal(set) var whyNoFetch: String?
    /// In the order in which they came.
    public internal(set) var answers: [PhoneAnswer] = []
    /// What the app did wrong, as far as it showed until the last callback was answered.
    public internal(set) var problems: [PhoneProblem] = []

    init(_ push: Push) { self.push = push }

    private var answer: PhoneAnswer? {
        answers.first { $0.entryPoint == .background } ?? answers.first { $0.result != nil }
    }

    /// What the app told the system; where no fetch callback ran, what the dispatcher came to.
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

    /// - Throws: `PhoneError` with all that the app did wrong.
    public func check() throws { try PhoneReport.check(problems) }

    static func check(_ problems: [PhoneProblem]) throws {
        guard !problems.isEmpty else { return }
        throw PhoneError(.problems, problems.map(\.description).joined(separator: "; "))
    }
}

extension PhoneReport: CustomStringConvertible {
    public var description: String {
        var parts: [String] = []
        if isHeld { parts.append("held") }
        if isDropped { parts.append("dropped") }
        if isShown { parts.append("shown") }
        if hasLaunched { parts.append("launched the app") }
        for callback in callbacks {
            let answer = answers.first { $0.entryPoint == callback }
            let told = answer.map { ": \($0.result.map { "\($0.rawValue) " } ?? "")after \($0.milliseconds) ms" }
            parts.append(callback.callback + (told ?? ": no answer"))
        }
        if let whyNoFetch { parts.append(whyNoFetch) }
        parts += problems.map(\.description)
        return parts.joined(separator: "; ")
    }
}
