import APNSProvider

/// The name of a gateway on this machine: `local` for the newest one, `local:PORT` for the one with this port for senders.
enum LocalGatewayName: Hashable, Sendable {
    case newest
    case port(Int)

    /// - Returns: Nil for text that does not begin with `local`, such as a URL.
    init?(_ text: String) throws(CommandError) {
        if text == "local" {
            self = .newest
            return
        }
        guard text.hasPrefix("local:") else { return nil }
        let digits = text.dropFirst("local:".count)
        guard let port = Int(digits), (1...65_535).contains(port), digits.utf8.first != UInt8(ascii: "+") else {
            throw CommandError(
                "\(PlainText.safe(text.prefix(40))): behind local: stands the port of the gateway, from 1 to 65535, such "
                    + "as local:8443", .badArguments)
        }
        self = .port(port)
    }

    /// What help says about the value of an option.
    static let help = "local for the gateway simulator on this machine, local:PORT where several run"

    /// The names of the gateways that run now, for the completion of a shell.
    static var completions: [String] {
        ["local"]
            + GatewayRunFile.running(in: RunFolders.all, removesLeft: false).running.map { "local:\($0.gateway.port)" }
    }
}
