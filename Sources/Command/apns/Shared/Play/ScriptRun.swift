import AppPlay
import Foundation

/// Plays the steps of a file or of standard input, and prints their results.
struct ScriptRun<App: PlayedApp> {
    let options: ScriptOptions
    let steps: [PlayStep<App.Action>]?
    let expectations: [PlayExpectation]?
    let run: PlayRun<App>

    /// - Returns: How the command ends: `no` where a step was not done, or was not as expected.
    func play() async throws(CommandError) -> ExitStatus {
        let stop = StopSignal()
        let signals = Signals { [run] _ in
            stop.stop()
            run.interrupt()
        }
        defer { withExtendedLifetime(signals) {} }
        var tally = ScriptTally(expectations: expectations)
        if let steps {
            for step in steps { guard await perform(step, &tally) else { break } }
        } else {
            try await playInput(until: stop, &tally)
        }
        if Output.standard.isBroken { return .failed }
        let isCut = steps.map { tally.count < $0.count } ?? false
        let end = tally.end(isCut: isCut || tally.isInterrupted)
        if let note = end.note { Output.standard.note(note) }
        return end.status
    }

    private func playInput(until stop: StopSignal, _ tally: inout ScriptTally) async throws(CommandError) {
        let reader = try CommandError.rethrowing { () throws(FileError) in LineReader(try InputFile(path: "-")) }
        while let line = try CommandError.rethrowing({ () throws(FileError) in try reader.next(until: stop) }) {
            let step: PlayStep<App.Action>?
            do throws(PlayMistake) {
                guard let bytes = line.bytes else {
                    throw PlayMistake("the line has more than \(LineReader.maximumBytes) bytes; shorten it")
                }
                step = try PlayStep<App.Action>.read(bytes)
            } catch {
                let mistake = PlayLineMistake(reader.name, line: line.number, error.detail)
                // Whoever types can type it again.
                guard System.isTerminal(0) else { throw CommandError(PlainText.safe(mistake.description)) }
                Output.standard.note(PlainText.safe(mistake.description))
                continue
            }
            if let step { guard await perform(step, &tally) else { return } }
        }
    }

    /// - Returns: Whether to go on.
    private func perform(_ step: PlayStep<App.Action>, _ tally: inout ScriptTally) async -> Bool {
        guard let result = await run.perform(step, number: tally.count + 1) else {
            tally.isInterrupted = true
            return false
        }
        let differences = tally.add(result)
        if options.json {
            Output.standard.write(result.line + [0x0a])
        } else {
            Output.standard.result(PlainText.safe(result.text))
        }
        // A reader may wait for this result before it gives the next step.
        Output.standard.flush()
        for difference in differences { Output.standard.note(PlainText.safe(difference)) }
        return !Output.standard.isBroken
    }
}

/// Counts results, and compares them with what is expected.
struct ScriptTally: Hashable {
    let expectations: [PlayExpectation]?
    private(set) var count = 0
    /// Steps that were not done.
    private(set) var refused = 0
    /// Steps whose result is not as expected.
    private(set) var unexpected = 0
    var isInterrupted = false

    init(expectations: [PlayExpectation]?) { self.expectations = expectations }

    /// - Returns: Lines about what is not as expected.
    mutating func add(_ result: PlayResult) -> [String] {
        count += 1
        if !result.isOK { refused += 1 }
        guard let expectations else { return [] }
        guard count <= expectations.count else {
            unexpected += 1
            return ["step \(count) (\(result.name)): no result is expected"]
        }
        let differences = expectations[count - 1].differences(from: result.json)
        if !differences.isEmpty { unexpected += 1 }
        return differences.map { "step \(count) (\(result.name)): \($0)" }
    }

    /// What to say at the end, and how the command ends.
    struct End: Hashable {
        var note: String?
        var status: ExitStatus

        init(_ note: String?, _ status: ExitStatus) { (self.note, self.status) = (note, status) }
    }

    /// - Parameter isCut: Whether steps were left over.
    func end(isCut: Bool) -> End {
        let played = "\(count) step\(count == 1 ? "" : "s") played"
        guard !isCut else { return End("Stopped: \(played).", .failed) }
        guard let expectations else {
            return refused == 0 ? End(nil, .done) : End("\(played), \(refused) not done.", .no)
        }
        guard count >= expectations.count else {
            return End("\(played); \(expectations.count) results are expected.", .no)
        }
        return unexpected == 0
            ? End("\(played), all as expected.", .done) : End("\(played), \(unexpected) not as expected.", .no)
    }
}
