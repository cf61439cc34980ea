import APNSProvider

/// Counts what became of the notifications of one `apns send`.
struct SendTally: Hashable, Sendable {
    private(set) var accepted = 0
    private(set) var refused = 0
    private(set) var unsent = 0
    private(set) var unknown = 0
    /// Lines of the input that were no device token or envelope.
    var badLines = 0
    /// Notifications that were left in the input when it was stopped.
    var notRead = 0
    /// Whether there may be more than `notRead`, which nobody can count.
    var isRestUnknown = false
    /// Notifications that had their outcome before, by the journal, and how many of them were not accepted.
    private(set) var doneBefore = 0
    private(set) var refusedBefore = 0
    /// Notifications of a record, and how many were answered otherwise than it says.
    private(set) var recorded = 0
    private(set) var different = 0
    /// Those of a record that were not accepted, as it says.
    private var notAcceptedAsRecorded = 0
    /// Whether somebody ended the run.
    var isInterrupted = false
    /// Results that say that a connection stood, or that a check held the notification back.
    private var othersThanConnection = 0

    /// How many have an outcome.
    var total: Int { accepted + refused + unsent + unknown }

    /// Whether all there is to tell is that no connection could be opened, or nothing could be signed.
    var couldDoNothing: Bool { total > 0 && othersThanConnection == 0 }

    mutating func count(_ outcome: APNSOutcome, attempts: Int) {
        switch outcome {
        case .accepted: accepted += 1
        case .refused: refused += 1
        case .unsent: unsent += 1
        case .unknown: unknown += 1
        }
        if !SendTally.saysNoConnection(outcome, attempts: attempts) { othersThanConnection += 1 }
    }

    mutating func countDone(isAccepted: Bool) {
        doneBefore += 1
        if !isAccepted { refusedBefore += 1 }
    }

    /// - Parameter isSame: Whether it was answered as the record says.
    mutating func countRecorded(isSame: Bool, _ outcome: APNSOutcome) {
        recorded += 1
        if !isSame { different += 1 }
        if case .accepted = outcome { return }
        if isSame { notAcceptedAsRecorded += 1 }
    }

    /// Whether an outcome is that of a notification that never got as far as a connection.
    static func saysNoConnection(_ outcome: APNSOutcome, attempts: Int) -> Bool {
        guard case .unsent(let error) = outcome else { return false }
        // A connection that the gateway closed for its certificate was tried with a notification.
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

    /// The last line: exact counts.
    func summary(after elapsed: Duration) -> String {
        var text = "\(total) \(total == 1 ? "notification" : "notifications") in \(DurationText.short(elapsed)): "
        text += "\(accepted) accepted, \(refused) refused, \(unsent) unsent, \(unknown) unknown"
        if doneBefore > 0 { text += "; \(doneBefore) had an outcome before, \(refusedBefore) of them refused" }
        if recorded > 0 { text += "; \(different) of \(recorded) answered otherwise than recorded" }
        if badLines > 0 { text += "; \(badLines) bad \(badLines == 1 ? "line" : "lines")" }
        if isRestUnknown {
            text += notRead > 0 ? "; \(notRead) and the rest of the input not read" : "; the rest of the input not read"
        } else if notRead > 0 {
            text += "; \(notRead) not read"
        }
        if unknown > 0 { text += "\nUnknown ones may have been delivered: sending them again can deliver them twice." }
        return text
    }

    /// What is shown while it runs.
    func progress(after elapsed: Duration) -> String {
        let seconds = max(elapsed.inSeconds, 0.001)
        return "\(total) done, \(Int(Double(total) / seconds)) a second: "
            + "\(accepted) accepted, \(refused) refused, \(unsent) unsent, \(unknown) unknown"
    }
}

extension Duration {
    /// With the fraction.
    fileprivate var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
