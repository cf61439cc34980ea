import APNSModel
import Testing

@testable import APNSProvider

struct APNSGatewayChannelsTests {
    @Test func `the channels of each environment are managed on a host and a port of their own`() {
        #expect(
            APNSGateway(managingChannelsOf: .sandbox).description
                == "https://api-manage-broadcast.sandbox.push.apple.com:2195")
        #expect(
            APNSGateway(managingChannelsOf: .production).description
                == "https://api-manage-broadcast.push.apple.com:2196")
    }

    @Test(arguments: [
        (APNSGateway(.sandbox), APNSGateway(managingChannelsOf: .sandbox)),
        (APNSGateway(.production), APNSGateway(managingChannelsOf: .production)),
        (APNSGateway(host: "API.push.apple.com", port: 2197), APNSGateway(managingChannelsOf: .production)),
        (APNSGateway(host: "api-broadcast.push.apple.com"), APNSGateway(managingChannelsOf: .production)),
        (APNSGateway(host: "api-broadcast.sandbox.push.apple.com"), APNSGateway(managingChannelsOf: .sandbox)),
        (APNSGateway(managingChannelsOf: .sandbox), APNSGateway(managingChannelsOf: .sandbox)),
        (APNSGateway(host: "127.0.0.1", port: 8443), APNSGateway(host: "127.0.0.1", port: 8443)),
        (APNSGateway(host: "evil-api.push.apple.com"), APNSGateway(host: "evil-api.push.apple.com")),
    ])
    func `a gateway for notifications leads to the one for channels`(gateway: APNSGateway, wanted: APNSGateway) {
        #expect(gateway.channelManagement == wanted)
    }
}
