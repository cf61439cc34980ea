import Synchronization

/// Where a command writes: results to stdout, everything else to stderr, and one line of progress that goes away when
/// anything else is shown.
final class Output: Sendable {
    static let standard = Output()

    /// Whether stdout, or stderr, takes colour and lines that move.
    let resultsAreShown: Bool
    let notesAreShown: Bool
    let results: Style
    let notes: Style

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
        let isPlain = System.environment("NO_COLOR") != nil || System.environment("TERM") == "dumb"
        results = Style(isColoured: resultsAreShown && !isPlain)
        notes = Style(isColoured: notesAreShown && !isPlain)
    }

    /// One line of the result; the line end is put behind it. Shown at once on a terminal, otherwise with `flush`.
    func result(_ line: String) {
        write(line + "\n")
    }

    /// Text of the result that brings its line ends along.
    func write(_ text: String) { write(text.utf8) }

    func write(_ bytes: some Collection<UInt8>) {
        state.withLock { state in
            state.pending += bytes
            if resultsAreShown || state.pending.count >= Output.bufferBytes { Output.flush(&state) }
        }
    }

    /// A line for people, on stderr.
    func note(_ text: String) {
        state.withLock { state in
            if resultsAreShown { Output.flush(&state) }
            Output.eraseProgress(&state)
            _ = System.write((text + "\n").utf8, to: 2)
        }
    }

    /// Shows `text` in place of the progress shown before; only on a terminal.
    func progress(_ text: String) {
        guard notesAreShown else { return }
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

    /// Whether nobody reads the results any more, or there is no room for them.
    var isBroken: Bool { state.withLock { $0.fault != 0 } }

    /// Whether results were lost because there was no room for them, and not because nobody wants them.
    var isFull: Bool { state.withLock { $0.fault != 0 && $0.fault != System.brokenPipe } }

    /// Writes out what waits. Throws when results were lost; without a message when their reader went away, as that was
    /// its own wish.
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
