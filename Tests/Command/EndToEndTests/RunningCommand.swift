import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A process that a test talks to while it runs. One that outlives `limit` is killed, so that no test waits for ever.
final class RunningCommand: Sendable {
    struct Ended: Error, CustomStringConvertible {
        let wanted: String
        let seen: String

        var description: String { "it ended before it printed \"\(wanted)\"; it printed:\n\(seen)" }
    }

    let output: ProcessLines
    let errors: ProcessLines
    private let process: ChildProcess
    private let input: Int32
    private let feeding = DispatchQueue(label: "input")
    private let watch: Task<Void, any Error>

    private static let limit: Duration = .seconds(120)

    /// - Parameter hasInput: Whether standard input is a pipe to `feed`; otherwise it is empty.
    init(
        _ file: URL, _ arguments: [String], in folder: URL, environment: [String: String] = [:], hasInput: Bool = false
    ) throws {
        var (output, errors, input): (Int32, Int32, Int32) = (-1, -1, -1)
        let process = try ChildProcess(
            file.path, arguments, in: folder.path, environment: Command.environment.merging(environment) { $1 }
        ) {
            let (outputPipe, errorPipe) = (try ChildProcess.pipe(), try ChildProcess.pipe())
            (output, errors) = (outputPipe.reading, errorPipe.reading)
            guard hasInput else {
                return ChildProcess.Streams(
                    input: try ChildProcess.open("/dev/null", O_RDONLY), output: outputPipe.writing,
                    errors: errorPipe.writing)
            }
            let inputPipe = try ChildProcess.pipe()
            input = inputPipe.writing
            return ChildProcess.Streams(
                input: inputPipe.reading, output: outputPipe.writing, errors: errorPipe.writing)
        }
        self.output = ProcessLines(output)
        self.errors = ProcessLines(errors)
        self.input = input
        self.process = process
        watch = Task {
            try await Task.sleep(for: RunningCommand.limit)
            if process.send(SIGKILL) {
                let line = ([file.path] + arguments).joined(separator: " ")
                Issue.record("killed after \(RunningCommand.limit): \(line)")
            }
        }
    }

    func send(_ signal: Int32) { process.send(signal) }

    /// Writes without waiting for the process to read.
    func feed(_ text: String) {
        feeding.async { [input] in
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Once, behind everything that was fed.
    func endInput() { feeding.async { [input] in close(input) } }

    /// The status, once it has ended; a signal's number for one that it ended.
    @discardableResult
    func status() async -> Int32 {
        defer { watch.cancel() }
        return await process.status()
    }

    /// The first line that contains `text` and was not handed out before, on stdout.
    @discardableResult
    func line(_ text: String) async throws -> String {
        guard let line = await output.next(containing: text) else { throw Ended(wanted: text, seen: whole) }
        return line
    }

    /// As `line`, on stderr.
    @discardableResult
    func errorLine(_ text: String) async throws -> String {
        guard let line = await errors.next(containing: text) else { throw Ended(wanted: text, seen: whole) }
        return line
    }

    /// Stops it and takes the rest of what it prints.
    func stop() async {
        send(SIGTERM)
        await status()
    }

    private var whole: String { "\(output.text)\n\(errors.text)" }
}

extension Command {
    /// What every process of the tests gets to know of the machine.
    static var environment: [String: String] {
        ProcessInfo.processInfo.environment.filter { ["PATH", "HOME"].contains($0.key) }
    }

    /// Starts `apns` without waiting for its end.
    func start(
        _ arguments: [String], environment: [String: String] = [:], hasInput: Bool = false
    ) throws -> RunningCommand {
        try RunningCommand(
            Command.executable(), arguments, in: folder, environment: environment, hasInput: hasInput)
    }

    /// Runs a script with `apns` on the PATH, to its end.
    func shell(_ script: String, environment: [String: String] = [:]) async throws -> Result {
        let binaries = try Command.executable().deletingLastPathComponent().path
        let path = ["PATH": "\(binaries):\(Command.environment["PATH"] ?? "/usr/bin:/bin")"]
        let shell = try RunningCommand(
            URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder, environment: path.merging(environment) { $1 })
        let status = await shell.status()
        return Result(status: status, output: await shell.output.all(), errors: await shell.errors.all())
    }
}
