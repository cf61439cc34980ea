import GatewayConfiguration
import GatewayRuntime
import SystemFiles

/// What `apns gateway` says on stderr beside the log of the gateway, in the form of that log.
struct GatewayLog {
    var format: LogFormat

    /// The format that the environment asks for, before options and variables are read.
    static func format(in environment: [String: String]) -> LogFormat {
        GatewaySetting.logFormat.variable.flatMap { environment[$0] }.flatMap { LogFormat(rawValue: $0) } ?? .text
    }

    func note(_ text: String) { write("info", text) }

    /// Something that somebody should correct.
    func warning(_ text: String) { write("warning", text) }

    /// Why the command ends.
    func error(_ text: String) { write("error", format == .text ? "Error: \(text)" : text) }

    private func write(_ level: String, _ text: String) {
        switch format {
        case .text: Output.standard.note(text)
        case .json:
            JSONLogHandler.writeToStandardError(
                JSONLogHandler.line(level, label: "apns.gateway", text, at: WallClock.milliseconds))
        }
    }
}
