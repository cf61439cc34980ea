import Foundation
import PushDispatch
import SelectiveSync

/// The access of an app's process to the tokens in its device's keychain. A call may be slow or fail, and the process may end
/// before or after it has an effect.
///
/// @unchecked: only the thread of the simulation uses it.
final class FaultyKeychain: TokenStorage, @unchecked Sendable {
    struct Unavailable: Error {}

    private unowned let device: AuditedDevice
    private let clock: ProcessClock

    init(_ device: AuditedDevice, _ clock: ProcessClock) {
        self.device = device
        self.clock = clock
    }

    func load() async throws -> OAuthTokens? { try await perform { $0.tokens } }

    func save(_ tokens: OAuthTokens) async throws {
        try await perform { device in
            device.tokens = tokens
            if let token = tokens.refreshToken { device.storedRefreshTokens.insert(token) }
        }
    }

    func clear() async throws { try await perform { $0.tokens = nil } }

    private func perform<Result>(_ call: (AuditedDevice) -> Result) async throws -> Result {
        try clock.check()
        await clock.pass(Int64(device.run.number(below: 3)))
        try clock.check()
        if device.run.injectsFault(device.run.settings.storeFaultPercent) {
            device.run.trace("\(device.name)'s keychain fails")
            throw Unavailable()
        }
        let result = call(device)
        await clock.pass(Int64(device.run.number(below: 2)))
        try clock.check()
        return result
    }
}
