import SystemFiles

/// Parts of command lines that are printed to be pasted into a shell.
enum ShellText {
    static let commandVariable = "APNS_COMMAND"

    /// The command as the user called it: the value of APNS_COMMAND, which `tools/apns` sets, or else `apns`.
    static var command: String { System.environment(commandVariable).map { PlainText.safe($0) } ?? "apns" }

    /// A message in which each command to paste, which stands behind a colon as in `make them with: apns gateway`, calls the
    /// command as the user called it.
    static func pasteable(_ message: String, command: String = ShellText.command) -> String {
        message.split(separator: ": apns ", omittingEmptySubsequences: false).joined(separator: ": \(command) ")
    }

    /// `text` as one word, in single quotes unless it has only characters without a meaning in a shell.
    static func word(_ text: String) -> String { ShellWord.quoted(text) }
}
