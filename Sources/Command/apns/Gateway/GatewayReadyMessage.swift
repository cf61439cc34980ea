import APNSModel
import DevelopmentCredentials
import GatewayServer
import ProviderToken

/// Where a gateway is and how to use it, for a person.
///
/// The lines to paste run as they are printed, whatever the folder is called. A control token has to be filled in, and
/// a device token where the gateway has no device and registers none by itself.
struct GatewayReadyMessage {
    let gateway: RunningGateway
    /// Whether `--gateway local` finds it from any folder.
    var hasRunFile: Bool
    private static let placeholder = "DEVICE-TOKEN"

    var text: String {
        let credentials = gateway.credentials
        let topic = credentials.topic.value
        let ca = ShellText.word(gateway.caFile ?? "")
        let key = ShellText.word(credentials.keyFile ?? "")
        let url = ShellText.word(gateway.url)
        let token = gateway.exampleDevice
        let device = ShellText.word("\(gateway.url)/3/device/\(token ?? Self.placeholder)")
        let journal = ShellText.word("\(gateway.controlURL)/api/notifications")
        let apns = ShellText.command
        let destination =
            hasRunFile
            ? "local:\(gateway.port)"
            : "\(url) --ca \(ca) --key \(key) --team-id \(credentials.teamID.value) --topic \(topic)"
        let bearer = gateway.needsControlToken ? "-H 'authorization: Bearer CONTROL-TOKEN' " : ""
        // The lines to paste would be refused by a gateway that knows no device.
        let registration =
            token == nil
            ? """
            Register a device, because this gateway accepts no others, and write its token in place of \(Self.placeholder):

              curl \(bearer)-d '{"topic":"\(topic)","environment":"\(gateway.environment.rawValue)"}' \
            \(ShellText.word("\(gateway.controlURL)/api/devices"))


            """ : ""
        return """
            The gateway simulator is running.

              senders      \(gateway.url)  (\(gateway.environment.rawValue))
              control API  \(gateway.controlURL)  (also a page for browsers)
              channels     \(gateway.channelURL)
              CA           \(gateway.caFile ?? "")
              key          \(credentials.keyFile ?? "")
              key id       \(credentials.keyID.value)
              team id      \(credentials.teamID.value)
              topic        \(topic)

            \(registration)Send a notification to it:

              \(apns) send --gateway \(destination) --token \(token ?? Self.placeholder) --alert 'Hello'

              curl -sSi --http2 --cacert \(ca) -H "authorization: bearer $(\(apns) token make \
            --key \(key) --team-id \(credentials.teamID.value))" \
            -H 'apns-topic: \(topic)' -H 'apns-push-type: alert' -d '{"aps":{"alert":"Hello"}}' \
            \(device)

            See what became of it:

              curl \(bearer)\(journal)

            Ctrl-C stops the gateway.
            """
    }
}
