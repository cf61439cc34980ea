import Logging

extension Logger {
    /// A logger for a command, which reports results itself.
    static func silent(_ label: String) -> Logger { Logger(label: label) { _ in SwiftLogNoOpLogHandler() } }
}
