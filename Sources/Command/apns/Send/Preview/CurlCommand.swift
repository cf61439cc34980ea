import APNSModel
import APNSProvider

/// Makes command lines of curl that send what `apns send` would send, with credentials by reference: a command that makes
/// the provider token, and the paths of certificate and key.
struct CurlCommand: Hashable, Sendable {
    var gateway: APNSGateway
    var identity: CredentialChoice.Identity
    var caPath: String?
    /// The name of this command.
    var apns: String

    /// The variable that has the provider token for several notifications. APNs accepts a new one only every 20 minutes.
    private static let variable = "APNS_PROVIDER_TOKEN"

    /// The line before those of several notifications; nil for a sender with a certificate.
    var assignment: String? { tokenCommand.map { "\(CurlCommand.variable)=\($0)" } }

    /// - Parameter isSingle: Whether it makes the provider token itself, and does not take it from `assignment`.
    /// - Returns: Nil for a payload that no word of a shell can hold.
    func line(_ notification: APNSNotification, isSingle: Bool) -> String? {
        guard let payload = String(validating: notification.payload, as: UTF8.self), !payload.utf8.contains(0) else {
            return nil
        }
        var words = ["curl -sSi --http2"]
        if let caPath { words.append("--cacert \(ShellText.word(caPath))") }
        words += certificate
        if let command = tokenCommand {
            words.append("-H \"authorization: bearer \(isSingle ? command : "$\(CurlCommand.variable)")\"")
        }
        for (name, value) in RequestFields.fields(of: notification, apnsID: notification.id?.text) {
            words.append("-H \(ShellText.word("\(name): \(value)"))")
        }
        // curl would name a form as the type of the body.
        words.append("-H content-type: --data-raw \(ShellText.word(payload))")
        words.append(ShellText.word("\(gateway)\(RequestFields.path(of: notification.deviceToken.hex))"))
        return words.joined(separator: " ")
    }

    private var certificate: [String] {
        guard case .certificate(let path, let keyPath) = identity else { return [] }
        let type = path.lowercased().hasSuffix(".p12") || path.lowercased().hasSuffix(".pfx") ? ["--cert-type P12"] : []
        return type + ["--cert \(ShellText.word(path))"] + (keyPath.map { ["--key \(ShellText.word($0))"] } ?? [])
    }

    private var tokenCommand: String? {
        guard case .token(let keyPath, let keyID, let teamID) = identity else { return nil }
        var words = [apns, "token make --key", ShellText.word(keyPath)]
        if let keyID { words.append("--key-id \(ShellText.word(keyID))") }
        if let teamID { words.append("--team-id \(ShellText.word(teamID))") }
        return "$(\(words.joined(separator: " ")))"
    }
}
