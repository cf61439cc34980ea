import Synchronization

/// The output of a command: results on stdout, everything else on stderr, and one line of progress that is erased before
/// anything else is printed.
final class Output: Sendable {
    static let standard = Output()

    /// Whether stdout is a terminal.
    let resultsAreShown: Bool
    /// Whether stderr is a terminal.
    let notesAreShown: Bool
    let results: Style
    let notes: Style
    /// Whether stderr is a terminal that can erase a line.
    private let erasesLines: Bool

    private struct State {
        var pending: [UInt8] = []
        var hasProgress = false
        var fault: Int32 = 0
    }

    private let state = Mutex(State())

    private static let bufferBytes = 64 * 1024

    private init() {
        resultsAreShown = System.isTerminal(1)
        notesAreShown = System.isTerminal(2)
        let isDumb = System.environment("TERM") == "dumb"
        let isPlain = System.environment("NO_COLOR") != nil || isDumb
        erasesLines = notesAreShown && !isDumb
        results = Style(isColoured: resultsAreShown && !isPlain)
        notes = Style(isColoured: notesAreShown && !isPlain)
    }

    /// Prints a line of the result, at once on a terminal and otherwise with the next `flush`.
    func result(_ line: String) {
        write(line + "\n")
    }

    /// Prints a part of the result that has its own line ends.
    func write(_ text: String) { write(text.utf8) }

    func write(_ bytes: some Collection<UInt8>) {
        state.withLock { state in
            state.pending.append(contentsOf: bytes)
            if resultsAreShown || state.pending.count >= Output.bufferBytes { Output.flush(&state) }
        }
    }

    /// Prints a line for people on stderr.
    func note(_ text: String) {
        state.withLock { state in
            if resultsAreShown { Output.flush(&state) }
            Output.eraseProgress(&state)
            _ = System.write((text + "\n").utf8, to: 2)
        }
    }

    /// Prints a line for people on stderr, without waiting for other output. Prints nothing where stderr takes nothing now.
    func noteNow(_ text: String) {
        guard System.takesOutput(2) else { return }
        _ = System.write(((erasesLines ? "\r\u{1B}[K" : "") + text + "\n").utf8, to: 2)
    }

    /// Shows `text` instead of the previous progress. Does nothing without a terminal that can erase it.
    func progress(_ text: String) {
        guard erasesLines else { return }
        state.withLock { state in
            _ = System.write("\r\u{1B}[K\(text)".utf8, to: 2)
            state.hasProgress = true
        }
    }

    func endProgress() {
        state.withLock { Output.eraseProgress(&$0) }
    }

    func flush() {
        state.withLock { Output.flush(&$0) }
    }

    /// Whether results can no longer be written: their reader is gone, or the disk is full.
    var isBroken: Bool { state.withLock { $0.fault != 0 } }

    /// Whether results were lost for another reason than that their reader is gone, such as a full disk.
    var isFull: Bool { state.withLock { $0.fault != 0 && $0.fault != System.brokenPipe } }

    /// Writes all pending output. Throws when results were lost, without a message when their reader closed the pipe,
    /// because it did so on purpose.
    func finish() throws {
        let fault = state.withLock { state in
            Output.eraseProgress(&state)
            Output.flush(&state)
            return state.fault
        }
        guard fault != 0 else { return }
        guard fault != System.brokenPipe else { return try ExitStatus.failed.end() }
        throw CommandError("the results could not be written to standard output: \(System.text(ofError: fault))")
    }

    private static func flush(_ state: inout State) {
        guard !state.pending.isEmpty else { return }
        eraseProgress(&state)
        if state.fault == 0 { state.fault = System.write(state.pending, to: 1) }
        state.pending.removeAll(keepingCapacity: true)
    }

    private static func eraseProgress(_ state: inout State) {
        guard state.hasProgress else { return }
        _ = System.write("\r\u{1B}[K".utf8, to: 2)
        state.hasProgress = false
    }
}
