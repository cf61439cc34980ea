import PushDispatch
import SelectiveSync

/// Checks how an app's process renews its session.
///
/// @unchecked: only the thread of the simulation uses it.
final class SessionAudit: @unchecked Sendable {
    private unowned let device: AuditedDevice
    private var renewals = 0
    /// Refresh tokens that the org has refused for good, as far as this process knows.
    private var refused: Set<String> = []
    /// The new refresh tokens that came with access tokens.
    private var refreshTokens: [String: String] = [:]

    init(_ device: AuditedDevice) { self.device = device }

    func renewalBegins(_ body: [UInt8]) {
        renewals += 1
        if renewals > 1 { device.run.reportViolation("\(device.name) renews its session twice at the same time") }
        if let token = SessionAudit.refreshToken(body), refused.contains(token) {
            device.run.reportViolation("\(device.name) sends a refresh token again that the org has refused")
        }
    }

    func renewalEnds() { renewals -= 1 }

    /// The reply has reached the process.
    func renewed(_ body: [UInt8], _ reply: RESTReply) {
        let members = EditText.value(reply.body)?.object
        if members?["error"] == .string("invalid_grant"), let token = SessionAudit.refreshToken(body) {
            refused.insert(token)
        }
        if let access = members?["access_token"]?.string { refreshTokens[access] = members?["refresh_token"]?.string }
    }

    /// A call may use a session only if the refresh token that came with it is stored: the former one is no longer valid.
    func uses(_ accessToken: String) {
        guard let token = refreshTokens[accessToken], !device.storedRefreshTokens.contains(token) else { return }
        device.run.reportViolation("\(device.name) uses a session whose new refresh token is not stored")
    }

    private static func refreshToken(_ body: [UInt8]) -> String? {
        let name = "refresh_token="
        return String(decoding: body, as: UTF8.self).split(separator: "&").first { $0.hasPrefix(name) }
            .map { String($0.dropFirst(name.count)) }
    }
}
