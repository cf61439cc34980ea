import APNSModel
import APNSProvider
import PayloadJSON

/// What a run of `apns send` has counted, and what it prints about each notification and each bad line.
struct SendReport: ~Copyable, Sendable {
    enum Format: Hashable, Sendable {
        case json
        case text(Style)
    }

    private let format: Format
    private let gateway: APNSGateway
    private(set) var tally = SendTally()
    /// How many results the provider has given, and how many broadcasts have one.
    private(set) var resultCount = 0
    private(set) var broadcastCount = 0
    /// Why the run ends before its input does: no connection can be opened. Nil as long as it goes on.
    private var end: APNSSendError?
    /// When the first of the notifications that failed since the last answer was taken, from the start of the run; nil where
    /// none has failed.
    private var unreachableSince: Duration?
    /// How long a gateway that has answered may be unreachable.
    private let patience: Duration
    private var errors = ReportedErrors()
    /// Whether the note about unknown outcomes in the journal was printed.
    private var notedDoubtful = false
    /// The lines for stdout that were not written yet, with their line ends.
    private(set) var lines = TextBuffer()
    /// The messages for stderr that were not printed yet.
    private var notes: [String] = []

    /// - Parameter timeout: How long each notification waits for its answer.
    init(_ format: Format, gateway: APNSGateway, timeout: Duration) {
        self.format = format
        self.gateway = gateway
        patience = max(timeout, .seconds(60))
    }

    /// Whether the run ends because no connection can be opened.
    var gaveUp: Bool { end != nil }

    // MARK: Results

    /// Takes a result of the provider.
    ///
    /// - Parameter now: The time since the start of the run.
    /// - Returns: Whether the run should end here, because no connection can be opened.
    mutating func take(_ line: consuming ResultLine, at now: Duration) -> Bool {
        resultCount += 1
        if line.outcome.error == nil { unreachableSince = nil }
        guard case .accepted = line.outcome, line.recorded == nil else { return takeOther(line, at: now) }
        tally.count(line.outcome, attempts: line.attempts)
        write(line)
        return false
    }

    /// A result that needs more than its line.
    private mutating func takeOther(_ line: consuming ResultLine, at now: Duration) -> Bool {
        let difference = line.recorded?.difference(from: line.outcome)
        if let difference, format != .json { notes.append(difference) }
        line.outcome = causedByEnd(line.outcome)
        tally.count(line.outcome, attempts: line.attempts)
        if line.recorded != nil { tally.countRecorded(isSame: difference == nil, line.outcome) }
        let wentOn = end == nil
        if wentOn {
            if let message = line.outcome.error.flatMap({ errors.message(about: $0, gateway) }) {
                notes.append("\(gateway): \(message)")
            }
            if line.outcome.error?.code == .connectionFailed { failed(after: .nanoseconds(line.nanoseconds), at: now) }
        }
        writeUnlessRepeated(line)
        return wentOn && gaveUp
    }

    /// The provider cancels the rest when the run gives up. The cause is the missing connection.
    private func causedByEnd(_ outcome: APNSOutcome) -> APNSOutcome {
        guard let end, !tally.isInterrupted, case .unsent(let error) = outcome, error.code == .cancelled else {
            return outcome
        }
        return .unsent(end)
    }

    /// Takes the result of a broadcast. What it returns is as for a notification.
    mutating func take(_ line: BroadcastLine, at now: Duration) -> Bool {
        broadcastCount += 1
        var line = line
        line.outcome = causedByEnd(line.outcome)
        tally.count(line.outcome, attempts: 0)
        let wentOn = end == nil
        if let error = line.outcome.error {
            if wentOn {
                if let message = errors.message(about: error, gateway) { notes.append("\(gateway): \(message)") }
                if error.code == .connectionFailed { failed(after: line.duration, at: now) }
            }
        } else {
            unreachableSince = nil
        }
        if format == .json || !tally.couldDoNothing { write(line) }
        return wentOn && gaveUp
    }

    /// A notification waited for `time` and had no connection. That ends the run where the gateway has never answered,
    /// because the provider has tried several times; one that has answered may come back.
    private mutating func failed(after time: Duration, at now: Duration) {
        let since = unreachableSince ?? now - time
        unreachableSince = since
        guard tally.accepted + tally.refused > 0 else {
            end = SendReport.noConnection("no connection could be opened")
            return
        }
        guard now - since >= patience else { return }
        let text = "the gateway has been unreachable for \(DurationText.short(now - since))"
        end = SendReport.noConnection(text)
        notes.append("\(gateway): \(text); the rest of the input is not sent.")
    }

    private static func noConnection(_ detail: String) -> APNSSendError {
        APNSSendError(.connectionFailed, detail, isSafeToRetry: true)
    }

    private mutating func write(_ line: borrowing ResultLine) {
        switch format {
        case .json: line.writeJSON(to: &lines)
        case .text(let style): line.write(style: style, to: &lines)
        }
        lines.append(UInt8(ascii: "\n"))
    }

    /// Thousands of equal lines would hide the message about the cause.
    private mutating func writeUnlessRepeated(_ line: borrowing ResultLine) {
        if format == .json || !tally.couldDoNothing { write(line) }
    }

    // MARK: What is not passed to the provider

    mutating func take(_ report: NotificationFeed.Report) {
        switch report {
        case .bad(let bad):
            tally.badLines += 1
            notes.append(bad.message)
            guard format == .json else { return }
            bad.writeJSON(to: &lines)
            lines.append(UInt8(ascii: "\n"))
        case .done(let mark): tally.countDone(isAccepted: mark == .accepted)
        case .doubtful(let notification, let line):
            count(ResultLine(notification, .unknown(.noAnswerBefore), line: line))
            noteDoubtful()
        case .heldBackBroadcast(let line, let text):
            notes.append(String(text.dropLast()))
            count(line)
        case .doubtfulBroadcast(let line):
            count(line)
            noteDoubtful()
        case .unsendable(let notification, let line, let recorded, let error):
            var line = ResultLine(unsent: notification, error, line: line)
            line.recorded = recorded
            tally.countRecorded(isSame: false, line.outcome)
            notes.append("\(recorded.place): \(error.detail)")
            count(line)
        case .heldBack(let notification, let line, let text):
            notes.append(String(text.dropLast()))
            count(ResultLine(unsent: notification, .heldBack, line: line))
        }
    }

    private mutating func noteDoubtful() {
        guard !notedDoubtful else { return }
        notedDoubtful = true
        notes.append(
            "The journal has no outcome of some notifications of a previous run, which may have been delivered. "
                + "--resend-unknown sends them again with the same apns-id.")
    }

    private mutating func count(_ line: BroadcastLine) {
        tally.count(line.outcome, attempts: 0)
        write(line)
    }

    private mutating func write(_ line: BroadcastLine) {
        switch format {
        case .json: lines.append(string: line.json)
        case .text(let style): lines.append(string: line.text(style: style))
        }
        lines.append(UInt8(ascii: "\n"))
    }

    private mutating func count(_ line: ResultLine) {
        tally.count(line.outcome, attempts: 0)
        write(line)
    }

    /// Counts a notification that the provider did not take, because the run gave up.
    mutating func giveUp(on message: NotificationFeed.Unsent) {
        guard let end else { return }
        tally.count(.unsent(end), attempts: 0)
        guard format == .json || !tally.couldDoNothing else { return }
        switch message {
        case .notification(let notification, let line): write(ResultLine(unsent: notification, end, line: line))
        case .broadcast(let broadcast, let line): write(BroadcastLine(broadcast, .unsent(end), line: line))
        }
    }

    /// The rest of the input was not sent.
    ///
    /// - Parameter isReported: Whether the notifications in it were counted with `giveUp`.
    mutating func end(with rest: NotificationFeed.Rest, isReported: Bool) {
        switch rest {
        case .all(let count): if !isReported { tally.notRead = count }
        case .unknown(let count):
            if !isReported { tally.notRead = count }
            tally.isRestUnknown = true
        }
    }

    /// The run ends at once.
    ///
    /// - Parameters:
    ///   - extent: How much of the input there is.
    ///   - open: How many notifications and broadcasts may have been sent and have no outcome.
    mutating func end(at extent: NotificationFeed.Extent, open: Int) {
        tally.notRead = max(extent.count - tally.counted - open, 0)
        tally.isRestUnknown = !extent.isWhole
    }

    mutating func interrupt() { tally.isInterrupted = true }

    // MARK: Output

    /// Writes what waits for stdout, and forgets it.
    mutating func flush(to output: Output) {
        guard lines.count > 0 else { return }
        output.write(lines.bytes)
        lines.removeAll()
    }

    /// Returns the messages for stderr, and forgets them.
    mutating func takeNotes() -> [String] {
        guard !notes.isEmpty else { return [] }
        defer { notes = [] }
        return notes
    }
}

extension APNSSendError {
    static let noAnswerBefore = APNSSendError(
        .cancelled, "the previous run ended without an answer", isSafeToRetry: false)
    static let heldBack = APNSSendError(.invalidNotification, "a check found an error", isSafeToRetry: true)
}

extension APNSOutcome {
    /// Why there is no answer; nil where there is one.
    var error: APNSSendError? {
        switch self {
        case .unsent(let error), .unknown(let error): error
        case .accepted, .refused: nil
        }
    }
}
