import Foundation
import Synchronization

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
    private let process: Process
    private let input: FileHandle?
    private let feeding = DispatchQueue(label: "input")
    private let ending: Task<Int32, Never>
    private let watch: Task<Void, any Error>

    private static let limit: Duration = .seconds(120)

    /// - Parameter hasInput: Whether standard input is a pipe to `feed`; otherwise it is empty.
    init(
        _ file: URL, _ arguments: [String], in folder: URL, environment: [String: String] = [:], hasInput: Bool = false
    ) throws {
        // Writing to a process that has ended is an error then, not the end of the tests.
        signal(SIGPIPE, SIG_IGN)
        let process = Process()
        process.executableURL = file
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = Command.environment.merging(environment) { $1 }
        let (output, errors, input) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = hasInput ? input : FileHandle.nullDevice
        self.input = hasInput ? input.fileHandleForWriting : nil
        self.output = ProcessLines(output.fileHandleForReading)
        self.errors = ProcessLines(errors.fileHandleForReading)
        let statuses = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = {
            statuses.continuation.yield($0.terminationStatus)
            statuses.continuation.finish()
        }
        try process.run()
        ending = Task {
            for await status in statuses.stream { return status }
            return -1
        }
        let id = process.processIdentifier
        watch = Task {
            try await Task.sleep(for: RunningCommand.limit)
            kill(id, SIGKILL)
        }
        self.process = process
    }

    var processID: Int32 { process.processIdentifier }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Writes without waiting for the process to read.
    func feed(_ text: String) {
        feeding.async { try? self.input?.write(contentsOf: Data(text.utf8)) }
    }

    func endInput() { feeding.async { try? self.input?.close() } }

    /// The status, once it has ended; a signal's number for one that it ended.
    @discardableResult
    func status() async -> Int32 {
        defer { watch.cancel() }
        return await ending.value
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
        if process.isRunning { send(SIGTERM) }
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
