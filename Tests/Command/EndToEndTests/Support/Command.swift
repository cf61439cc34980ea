import Foundation
import RepositoryFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The built command `apns`, run as a process.
struct Command {
    struct Result {
        var status: Int32
        var output: String
        var errors: String

        /// Both streams, where it does not matter which.
        var text: String { output + errors }
        var lines: [Substring] { output.split(separator: "\n") }
    }

    /// The working folder of every run. `remove` removes it.
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// How often a test kills what it tests; `tools/check-kills` asks for more.
    static let kills = ProcessInfo.processInfo.environment["APNS_TEST_KILLS"].flatMap { Int($0) } ?? 8

    /// Folders of its own for run files and profiles, so that gateways of other tests and of the developer are not found.
    var places: [String: String] {
        let names = ["XDG_RUNTIME_DIR": ".runtime", "XDG_STATE_HOME": ".state", "XDG_CONFIG_HOME": ".config"]
        return names.mapValues { folder.appendingPathComponent($0).path }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    @discardableResult
    func write(_ text: String, to name: String) throws -> URL { try write(Data(text.utf8), to: name) }

    @discardableResult
    func write(_ data: Data, to name: String) throws -> URL {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file
    }

    /// Runs it to its end. It gets only PATH and HOME of the environment, and `places`.
    ///
    /// Both streams go to files, because a full pipe would block it.
    ///
    /// - Parameter current: The current folder below `folder`; nil for `folder` itself.
    func run(
        _ arguments: [String], input: String? = nil, environment: [String: String] = [:], in current: String? = nil
    ) async throws -> Result {
        let id = UUID().uuidString
        let output = try write("", to: ".\(id).out")
        let errors = try write("", to: ".\(id).err")
        let source = try input.map { try write($0, to: ".\(id).in").path } ?? "/dev/null"
        let process = try ChildProcess(
            Command.executable().path, arguments,
            in: current.map { folder.appendingPathComponent($0).path } ?? folder.path,
            environment: Command.environment.merging(places) { $1 }.merging(environment) { $1 }
        ) {
            ChildProcess.Streams(
                input: try ChildProcess.open(source, O_RDONLY), output: try ChildProcess.open(output.path, O_WRONLY),
                errors: try ChildProcess.open(errors.path, O_WRONLY))
        }
        let status = await process.status()
        return Result(
            status: status, output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }

    /// Whether a program of this name is on the PATH.
    static func isInstalled(_ program: String) -> Bool {
        (environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    static func executable() throws -> URL { try BuiltProgram("apns").file }
}

/// Runs `body` with a command in a new folder.
func withCommand(_ body: (Command) async throws -> Void) async throws {
    let command = try Command()
    defer { command.remove() }
    try await body(command)
}
