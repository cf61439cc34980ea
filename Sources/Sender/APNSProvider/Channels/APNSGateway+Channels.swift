public import APNSModel

extension APNSGateway {
    /// Apple's service that manages broadcast channels. It has a host and a port of its own.
    public init(managingChannelsOf environment: APNSEnvironment) {
        self.init(host: environment.channelManagementHost, port: environment.channelManagementPort)
    }

    /// The server that manages the channels of this one's apps: for Apple's hosts that of their environment, and otherwise
    /// the same server, because a gateway simulator does both.
    public var channelManagement: APNSGateway {
        let name = host.lowercased()
        let environment = APNSEnvironment.allCases.first {
            name == $0.host || name == "api-broadcast" + $0.host.dropFirst("api".count)
        }
        return environment.map { APNSGateway(managingChannelsOf: $0) } ?? self
    }
}
