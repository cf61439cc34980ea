/// Parts of command lines that are printed to be pasted into a shell.
enum ShellText {
    /// The command as the user called it: the value of APNS_COMMAND, which `tools/apns` sets, or else `apns`.
    static var command: String { System.environment("APNS_COMMAND").map { PlainText.safe($0) } ?? "apns" }

    /// `text` as one word, in single quotes unless it has only characters without a meaning in a shell.
    static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: "-._/:,+@%".utf8.contains(byte)
            }
        }
        if isPlain, !text.isEmpty { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
