import ArgumentParser
import GatewayConfiguration
import SystemFiles

/// Where the gateway listens, and what it needs for that.
struct GatewayListenOptions: GatewayOptionGroup {
    @Option(.host) var host: String?
    @Option(.port, transform: ArgumentReading.port) var port: Int?
    @Option(.controlPort, transform: ArgumentReading.port) var controlPort: Int?
    @Option(.channelPort, transform: ArgumentReading.port) var channelPort: Int?
    @Option(.credentials) var credentials: String?
    @Option(.credentialsGroup, transform: ArgumentReading.readers) var credentialsGroup: FileReaders?
    @Option(.name) var names: [String] = []
    @Option(.controlToken) var controlToken: String?
    @Option(.controlOrigin, transform: ArgumentReading.origin) var controlOrigin: WebOrigin?
    @Option(.controlTokenFile) var controlTokenFile: String?

    var options: [(setting: GatewaySetting, isGiven: Bool)] {
        [
            (.host, host != nil), (.port, port != nil), (.controlPort, controlPort != nil),
            (.channelPort, channelPort != nil), (.credentials, credentials != nil),
            (.credentialsGroup, credentialsGroup != nil), (.name, !names.isEmpty),
            (.controlToken, controlToken != nil), (.controlTokenFile, controlTokenFile != nil),
            (.controlOrigin, controlOrigin != nil),
        ]
    }

    func validate() throws {
        guard controlToken == nil || controlTokenFile == nil else {
            throw ValidationError("--control-token and --control-token-file both set the token; give one of them")
        }
    }

    func apply(to configuration: inout GatewayConfiguration) throws {
        if let host { configuration.host = host }
        if let port { configuration.port = port }
        if let controlPort { configuration.controlPort = controlPort }
        if let channelPort { configuration.channelPort = channelPort }
        if let credentials { configuration.credentials = .folder(credentials) }
        if let credentialsGroup { configuration.credentialsReaders = credentialsGroup }
        configuration.names += names
        if let controlToken { configuration.controlToken = controlToken }
        if let controlOrigin { configuration.controlOrigin = controlOrigin }
        if let controlTokenFile { configuration.controlToken = try GatewayListenOptions.token(in: controlTokenFile) }
    }

    private static func token(in path: String) throws(CommandError) -> String {
        let bytes = try CommandError.rethrowing { () throws(FileError) in
            try InputFile.bytes(of: path, limit: ControlTokenFile.maximumBytes)
        }
        do throws(ControlTokenFile.Failure) {
            return try ControlTokenFile.token(in: bytes)
        } catch {
            throw CommandError("\(path): \(error)")
        }
    }
}
