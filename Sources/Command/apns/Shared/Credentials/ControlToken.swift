import APNSModel
import ArgumentParser

/// The bearer token of a control API, from an option or an environment variable.
enum ControlToken {
    private static let minimumBytes = 16

    /// - Parameters:
    ///   - option: The value of `--control-token`, which comes before the variable.
    ///   - variable: The name of the environment variable.
    /// - Returns: Nil if neither is set.
    /// - Throws: `ValidationError` if the token is too short; the message does not contain it.
    static func read(_ option: String?, _ variable: String) throws -> String? {
        guard let token = option ?? System.environment(variable) else { return nil }
        guard token.utf8.count >= minimumBytes else {
            throw ValidationError(
                "\(option == nil ? "the value of \(variable)" : "--control-token") is shorter than \(minimumBytes) "
                    + "characters; use one that cannot be guessed")
        }
        return token
    }

    /// Throws if other machines can reach a control API that has no token.
    ///
    /// - Parameters:
    ///   - host: The address that it listens on.
    ///   - variable: The name of the environment variable.
    static func check(_ token: String?, host: String, _ variable: String) throws(CommandError) {
        guard token == nil, !LoopbackHost.isLoopback(host) else { return }
        throw CommandError(
            "\(PlainText.safe(host)) is reachable from other machines, and the control API can change everything: pass "
                + "--control-token or set \(variable), or listen on 127.0.0.1")
    }
}
