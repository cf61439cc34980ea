package import APNSModel
import APNSProvider
import GatewayServer
import ProviderToken

package import GatewayTesting

extension TestGateway {
    package var control: ControlClient { ControlClient(port: running.controlPort) }

    /// A new connection that shows its frames.
    package func rawSender() async throws -> RawSender { try await RawSender(port: running.port, caPEM: caPEM) }

    /// The headers of a request that is accepted for `device`.
    package func fields(to device: String, id: String? = nil) throws -> [(StaticString, String)] {
        var fields: [(StaticString, String)] = [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/\(device)"), (":authority", "localhost"),
            (
                "authorization",
                "bearer "
                    + (try SignedToken(
                        keyID: keyID, teamID: teamID, issuedAt: TestGateway.machineSeconds, key: signingKey
                    ).text)
            ), ("apns-topic", topic.value), ("apns-push-type", "background"), ("apns-priority", "5"),
        ]
        if let id { fields.append(("apns-id", id)) }
        return fields
    }

    /// The same headers with the same provider token, for another device and id.
    package func fields(
        like fields: [(StaticString, String)], to device: String, id: String
    ) -> [(StaticString, String)] {
        fields.filter { "\($0.0)" != "apns-id" }.map {
            "\($0.0)" == ":path" ? ($0.0, "/3/device/\(device)") : $0
        } + [("apns-id", id)]
    }

    /// Sends a silent push.
    @discardableResult
    package func push(to device: String, _ text: String = "1") async throws -> Reply {
        try await provider.send(
            notification(to: device, payload: #"{"aps":{"content-available":1},"n":"\#(text)"}"#))
    }
}

package let silent = #"{"aps":{"content-available":1}}"#
