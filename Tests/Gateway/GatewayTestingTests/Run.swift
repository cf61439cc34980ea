import Foundation

@testable import DeviceSimulator

/// Runs a command that is built beside the tests, to its end.
///
/// - Returns: Its status.
func run(_ name: String, _ arguments: String...) async throws -> Int32 {
    struct NotBuilt: Error {}
    let places = CommandLine.arguments.flatMap { argument in
        sequence(first: URL(fileURLWithPath: argument).deletingLastPathComponent()) { folder in
            folder.path == "/" ? nil : folder.deletingLastPathComponent()
        }
    }
    let path = places.map(\.path).joined(separator: ":")
    guard let file = ChildProgram.find(name, path: path) else { throw NotBuilt() }
    let program = ChildProgram(
        file: file, arguments: arguments, environment: ["PATH": "/usr/bin:/bin"], input: .standardInput([]),
        output: .kept)
    let end = try await ProgramRun(program).end(within: .seconds(50)) { try await Task.sleep(for: $0) }
    guard case .exited(let status) = end else { return -1 }
    return status
}
