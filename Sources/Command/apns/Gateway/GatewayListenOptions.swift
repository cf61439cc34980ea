import ArgumentParser
import GatewayConfiguration

/// Where the gateway listens, and what it needs for that.
struct GatewayListenOptions: GatewayOptionGroup {
    @Option(.host) var host: String?
    @Option(.port, transform: ArgumentReading.port) var port: Int?
    @Option(.controlPort, transform: ArgumentReading.port) var controlPort: Int?
    @Option(.channelPort, transform: ArgumentReading.port) var channelPort: Int?
    @Option(.credentials) var credentials: String?
    @Option(.controlToken) var controlToken: String?
    @Option(.controlOrigin, transform: ArgumentReading.origin) var controlOrigin: WebOrigin?

    var options: [(setting: GatewaySetting, isGiven: Bool)] {
        [
            (.host, host != nil), (.port, port != nil), (.controlPort, controlPort != nil),
            (.channelPort, channelPort != nil), (.credentials, credentials != nil),
            (.controlToken, controlToken != nil), (.controlOrigin, controlOrigin != nil),
        ]
    }

    func apply(to configuration: inout GatewayConfiguration) {
        if let host { configuration.host = host }
        if let port { configuration.port = port }
        if let controlPort { configuration.controlPort = controlPort }
        if let channelPort { configuration.channelPort = channelPort }
        if let credentials { configuration.credentials = .folder(credentials) }
        if let controlToken { configuration.controlToken = controlToken }
        if let controlOrigin { configuration.controlOrigin = controlOrigin }
    }
}
