import APNSModel
import DevelopmentCredentials
import GatewayServer
import ProviderToken

/// Where a gateway is and how to use it, for a person.
///
/// The lines to paste run as they are printed, whatever the folder is called. Only a control token has to be filled in.
struct GatewayReadyMessage {
    let gateway: RunningGateway

    var text: String {
        let credentials = gateway.credentials
        let topic = credentials.topic.value
        let ca = ShellText.word(gateway.caFile ?? "")
        let key = ShellText.word(credentials.keyFile ?? "")
        let url = ShellText.word(gateway.url)
        let device = ShellText.word("\(gateway.url)/3/device/ab12")
        let journal = ShellText.word("\(gateway.controlURL)/api/notifications")
        let apns = ShellText.command
        let bearer = gateway.needsControlToken ? "-H 'authorization: Bearer CONTROL-TOKEN' " : ""
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

            Send a notification to it:

              \(apns) send --gateway \(url) --ca \(ca) --key \(key) \
            --team-id \(credentials.teamID.value) --topic \(topic) --token ab12 --alert 'Hello'

              curl --http2 --cacert \(ca) -H "authorization: bearer $(\(apns) token make \
            --key \(key) --team-id \(credentials.teamID.value))" \
            -H 'apns-topic: \(topic)' -H 'apns-push-type: alert' -d '{"aps":{"alert":"Hello"}}' \
            \(device)

            See what became of it:

              curl \(bearer)\(journal)

            Ctrl-C stops the gateway.
            """
    }
}
