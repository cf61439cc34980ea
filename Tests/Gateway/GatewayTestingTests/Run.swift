import Foundation
import RepositoryFiles

@testable import DeviceSimulator

/// Runs a command that is built beside the tests, to its end.
///
/// - Returns: Its status.
func run(_ name: String, _ arguments: String...) async throws -> Int32 {
    let program = ChildProgram(
        file: try BuiltProgram(name).file.path, arguments: arguments, environment: ["PATH": "/usr/bin:/bin"],
        input: .standardInput([]), output: .kept)
    let end = try await ProgramRun(program).end(within: .seconds(300)) { try await Task.sleep(for: $0) }
    guard case .exited(let status) = end else { return -1 }
    return status
}
