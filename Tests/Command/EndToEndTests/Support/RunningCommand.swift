import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A process that a test talks to while it runs.
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

    /// - Parameters:
    ///   - hasInput: Whether standard input is a pipe to `feed`; otherwise it is empty.
    ///   - output: Where its results go instead of `output`, which is empty then.
    init(
        _ file: URL, _ arguments: [String], in folder: URL, environment: [String: String] = [:], hasInput: Bool = false,
        output other: (() throws -> Int32)? = nil
    ) throws {
        var (output, errors, input): (Int32, Int32, Int32) = (-1, -1, -1)
        let process = try ChildProcess(
            file.path, arguments, in: folder.path, environment: Command.environment.merging(environment) { $1 }
        ) {
            var (outputPipe, errorPipe) = (try ChildProcess.pipe(), try ChildProcess.pipe())
            (output, errors) = (outputPipe.reading, errorPipe.reading)
            if let other {
                close(outputPipe.writing)
                outputPipe.writing = try other()
            }
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
    }

    func send(_ signal: Int32) { process.send(signal) }

    /// Writes to standard input in the background, without waiting for the process to read.
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

    /// Closes standard input after everything that was fed. Call it once.
    func endInput() { feeding.async { [input] in close(input) } }

    /// Waits for the end.
    ///
    /// - Returns: The exit status, or the number of the signal that ended it.
    @discardableResult
    func status() async -> Int32 { await process.status() }

    /// The next line on stdout that contains `text`. Lines before it are skipped.
    @discardableResult
    func line(_ text: String) async throws -> String {
        guard let line = await output.next(containing: text) else { throw Ended(wanted: text, seen: whole) }
        return line
    }

    /// The next line on stderr that contains `text`. Lines before it are skipped.
    @discardableResult
    func errorLine(_ text: String) async throws -> String {
        guard let line = await errors.next(containing: text) else { throw Ended(wanted: text, seen: whole) }
        return line
    }

    /// Stops it with SIGTERM and waits for its end.
    func stop() async {
        send(SIGTERM)
        await status()
    }

    /// Stops it after `body`, and kills it after an error.
    func stopped(after body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            send(SIGKILL)
            await status()
            throw error
        }
        await stop()
    }

    private var whole: String { "\(output.text)\n\(errors.text)" }
}

extension Command {
    /// The environment of every process of the tests.
    static var environment: [String: String] {
        ProcessInfo.processInfo.environment.filter { ["PATH", "HOME"].contains($0.key) }
    }

    /// Starts `apns` without waiting for its end.
    func start(
        _ arguments: [String], environment: [String: String] = [:], hasInput: Bool = false,
        output: (() throws -> Int32)? = nil
    ) throws -> RunningCommand {
        try RunningCommand(
            Command.executable(), arguments, in: folder, environment: places.merging(environment) { $1 },
            hasInput: hasInput, output: output)
    }

    /// Runs a script with `apns` on the PATH, to its end.
    func shell(_ script: String, environment: [String: String] = [:]) async throws -> Result {
        let binaries = try Command.executable().deletingLastPathComponent().path
        let path = ["PATH": "\(binaries):\(Command.environment["PATH"] ?? "/usr/bin:/bin")"]
        let shell = try RunningCommand(
            URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder,
            environment: places.merging(path) { $1 }.merging(environment) { $1 })
        let status = await shell.status()
        return Result(status: status, output: await shell.output.all(), errors: await shell.errors.all())
    }
}
