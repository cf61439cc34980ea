import APNSModel
import APNSProvider
import DevelopmentCredentials
import GatewayServer
import ProviderToken
import SystemFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension GatewayRun {
    /// - Parameter currentFolder: What relative paths of credentials are resolved against.
    /// - Returns: Nil for a gateway whose credentials are not in files.
    init?(_ gateway: RunningGateway, currentFolder: String) {
        guard let address = APNSGateway(url: gateway.url), let ca = gateway.caFile,
            let key = gateway.credentials.keyFile
        else { return nil }
        func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : "\(currentFolder)/\(path)" }
        let credentials = gateway.credentials
        self.init(
            gateway: address, control: gateway.controlURL, channels: gateway.channelURL, caPath: absolute(ca),
            keyPath: absolute(key), keyID: credentials.keyID.value, teamID: credentials.teamID.value,
            topic: credentials.topic.value, processID: getpid(), started: WallClock.milliseconds)
    }
}
