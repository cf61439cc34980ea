import ArgumentParser
import GatewayConfiguration
import GatewayRuntime
import SystemFiles

/// What a running gateway says on stderr beside its log, in the form of the log.
struct GatewayLog {
    let format: LogFormat

    func note(_ text: String) {
        switch format {
        case .text: Output.standard.note(text)
        case .json:
            JSONLogHandler.writeToStandardError(
                JSONLogHandler.line("info", label: "apns.gateway", text, at: WallClock.milliseconds))
        }
    }
}
