import APNSModel
import APNSProvider

/// Counts the outcomes of one run of `apns send`.
struct SendTally: Hashable, Sendable {
    private(set) var accepted = 0
    private(set) var refused = 0
    private(set) var unsent = 0
    private(set) var unknown = 0
    /// Lines of the input that were neither a device token nor an envelope.
    var badLines = 0
    /// What was left when the run was stopped: notifications that were not taken, and lines that were not read, also bad ones.
    var notRead = 0
    /// Whether there may be more than `notRead`, which cannot be counted.
    var isRestUnknown = false
    /// Notifications that had a final outcome in the journal, and how many of them were not accepted.
    private(set) var doneBefore = 0
    private(set) var refusedBefore = 0
    /// Notifications from a record, and how many of them got another answer than recorded.
    private(set) var recorded = 0
    private(set) var different = 0
    /// Notifications from a record that were not accepted, as recorded.
    private var notAcceptedAsRecorded = 0
    /// Whether a signal ended the run.
    var isInterrupted = false
    /// How often each reason or error occurred.
    private var causes = CauseCounts()
    /// Results that do not mean a missing connection.
    private var othersThanConnection = 0

    /// How many have an outcome.
    var total: Int { accepted + refused + unsent + unknown }

    /// How much of the input has a count, bad lines too.
    var counted: Int { total + badLines + doneBefore }

    /// Whether every result says that no connection could be opened, or that nothing could be signed.
    var couldDoNothing: Bool { total > 0 && othersThanConnection == 0 }

    mutating func count(_ outcome: APNSOutcome, attempts: Int) {
        switch outcome {
        case .accepted:
            accepted += 1
            othersThanConnection += 1
            return
        case .refused(let refusal):
            refused += 1
            causes.count(refusal.reason.code.isEmpty ? "no reason" : refusal.reason.code, .refused)
        case .unsent(let error):
            unsent += 1
            causes.count(error.code.rawValue, .unsent)
        case .unknown(let error):
            unknown += 1
            causes.count(error.code.rawValue, .unknown)
        }
        if !SendTally.saysNoConnection(outcome, attempts: attempts) { othersThanConnection += 1 }
    }

    mutating func countDone(isAccepted: Bool) {
        doneBefore += 1
        if !isAccepted { refusedBefore += 1 }
    }

    /// - Parameter isSame: Whether the answer is the recorded one.
    mutating func countRecorded(isSame: Bool, _ outcome: APNSOutcome) {
        recorded += 1
        if !isSame { different += 1 }
        if case .accepted = outcome { return }
        if isSame { notAcceptedAsRecorded += 1 }
    }

    /// Whether an outcome means that the notification never had a connection.
    static func saysNoConnection(_ outcome: APNSOutcome, attempts: Int) -> Bool {
        guard case .unsent(let error) = outcome else { return false }
        // A connection that the gateway closed because of its certificate had a notification, so it has an attempt.
        return error.code == .connectionFailed
            || attempts == 0 && [.deadlineExceeded, .signingFailed].contains(error.code)
    }

    var exitStatus: ExitStatus {
        if isInterrupted { return .no }
        if couldDoNothing { return .failed }
        if total == 0, doneBefore == 0 { return badLines > 0 ? .no : .failed }
        return accepted + notAcceptedAsRecorded == total && different == 0 && refusedBefore == 0 && badLines == 0
            && notRead == 0 && !isRestUnknown ? .done : .no
    }

    /// The end of the output: exact counts in a line, then a line for each outcome that has a cause, with its causes.
    func summary(after elapsed: Duration) -> String {
        var text = "\(total) \(total == 1 ? "notification" : "notifications") in \(DurationText.short(elapsed)): "
        text += "\(accepted) accepted, \(refused) refused, \(unsent) unsent, \(unknown) unknown"
        if doneBefore > 0 { text += "; \(doneBefore) had an outcome before, \(refusedBefore) of them refused" }
        if recorded > 0 { text += "; \(different) of \(recorded) had another answer than recorded" }
        if badLines > 0 { text += "; \(badLines) bad \(badLines == 1 ? "line" : "lines")" }
        if isRestUnknown {
            text += notRead > 0 ? "; \(notRead) and the rest of the input not read" : "; the rest of the input not read"
        } else if notRead > 0 {
            text += "; \(notRead) not read"
        }
        for line in causes.lines { text += "\n" + line }
        if unknown > 0 { text += "\nUnknown ones may have been delivered: sending them again may deliver them twice." }
        return text
    }

    /// The progress line.
    ///
    /// - Parameter input: How much of the input was read.
    func progress(after elapsed: Duration, of input: InputPosition = InputPosition()) -> String {
        let seconds = max(elapsed.inSeconds, 0.001)
        var text = "\(total) done"
        if let part = input.donePart(total + badLines + doneBefore) {
            text += ", \(Int(part * 100)) %"
            if part > 0, part < 1 {
                text += ", \(DurationText.rest(.seconds(seconds * (1 - part) / part))) left"
            }
        }
        return text + ", \(Int(Double(total) / seconds)) a second: "
            + "\(accepted) accepted, \(refused) refused, \(unsent) unsent, \(unknown) unknown"
    }
}

extension Duration {
    /// Seconds with the fraction.
    fileprivate var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
