import AppPlay
import ArgumentParser

/// The arguments of every `play`.
struct ScriptOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The script: a step a line, as JSON; - for standard input. Blank lines and lines that begin with # are left out.",
            valueName: "script.ndjson"),
        completion: .file(extensions: ["ndjson"]))
    var script: String
    @Option(help: ArgumentHelp("The address of the running service.", valueName: "url"))
    var url: String
    @Option(
        help: ArgumentHelp(
            "What the results should be: a line for each, of which each key must be in the result; \"…\" stands for any value.",
            valueName: "file.ndjson"),
        completion: .file(extensions: ["ndjson"]))
    var expect: String?
    @Flag(help: "Print each result as one line of JSON.")
    var json = false

    static let maximumBytes = 16 << 20

    /// The steps of a file; nil for standard input, whose lines are read one after the other.
    func steps<Action: PlayAction>(_: Action.Type) throws(CommandError) -> [PlayStep<Action>]? {
        guard self.script != "-" else { return nil }
        let script = PlayScript<Action>(try ScriptOptions.bytes(of: self.script), name: self.script)
        try ScriptOptions.check(script.mistakes, "nothing was played")
        return script.steps
    }

    /// Nil if nothing is expected.
    func expectations() throws(CommandError) -> [PlayExpectation]? {
        guard let expect else { return nil }
        let read = PlayExpectations(try ScriptOptions.bytes(of: expect), name: expect)
        try ScriptOptions.check(read.mistakes, "nothing was played")
        return read.expectations
    }

    private static func bytes(of path: String) throws(CommandError) -> [UInt8] {
        try CommandError.rethrowing { () throws(FileError) in try InputFile.bytes(of: path, limit: maximumBytes) }
    }

    private static func check(_ mistakes: [PlayLineMistake], _ consequence: String) throws(CommandError) {
        guard let last = mistakes.last else { return }
        let shown = mistakes.prefix(20).map { PlainText.safe($0.description) }
        let more = mistakes.count > shown.count ? ["and \(mistakes.count - shown.count) more"] : []
        throw CommandError(
            "\(PlainText.safe(last.name)) cannot be used, so \(consequence):\n"
                + (shown + more).joined(separator: "\n"))
    }
}
