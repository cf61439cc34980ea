import Foundation
package import GatewayConfiguration
import GatewayCore
import Logging

package import GatewayTesting

/// Runs `body` with a gateway that stores everything in a file, and shuts it down.
@discardableResult
package func withStoredGateway<Result>(
    _ path: String, _ change: (inout GatewayConfiguration) -> Void = { _ in },
    _ body: (TestGateway) async throws -> sending Result
) async throws -> sending Result {
    var configuration = GatewayConfiguration()
    configuration.port = 0
    configuration.controlPort = 0
    configuration.credentials = .given(try TestGateway.credentials.get())
    configuration.grace = .seconds(1)
    configuration.store = path
    configuration.budgets = .lifted
    configuration.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    change(&configuration)
    return try await configuration.run(body)
}

/// Runs `body` with a temporary folder, which is removed afterwards.
package func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path)
}
