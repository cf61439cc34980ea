import APNSModel
import APNSProvider
import GatewayServer
import GatewayTestSupport
import GatewayTesting
import Testing

/// Our own sender under each effect: every notification has one outcome, and it is what the gateway did.
@Suite(.timeLimit(.minutes(10)))
struct FaultySenderTests {
    private static let devices = (0..<40).map { "ab" + String(1000 + $0) }

    @Test(arguments: [
        #"{"refuse":{"reason":"BadDeviceToken","max-concurrent-streams":1}}"#, #"{"delay":"20ms"}"#,
        #"{"delay":{"log-normal":{"median":"5ms","sigma":1}}}"#, #"{"delay":"never"}"#, #"{"silence":true}"#,
        #"{"reset":8}"#, #"{"reset":{"code":8,"after":true}}"#, #"{"goaway":{}}"#,
        #"{"goaway":{"last-stream":"previous"}}"#, #"{"goaway":{"last-stream":"all","twice":true}}"#,
        #"{"goaway":{"close":false}}"#, #"{"goaway":{"close":"now","code":7}}"#,
        #"{"goaway":{"last-stream":"previous","close":"now"}}"#, #"{"disconnect":true}"#, #"{"disconnect":"after"}"#,
        #"{"disconnect":{"reset":true}}"#, #"{"disconnect":{"reset":true,"after":true}}"#, #"{"half-open":true}"#,
        #"{"half-open":"after"}"#, #"{"max-concurrent-streams":1}"#, #"{"window":0}"#, #"{"window":8}"#,
        #"{"window":{"bytes":0,"for":"50ms"}}"#, #"{"lose":true}"#, #"{"duplicate":2}"#, #"{"offline":true}"#,
        #"{"uninstall":"0s"}"#, #"{"slow-body":"20ms"}"#, #"{"slow-body":"never"}"#, #"{"slow-accept":"20ms"}"#,
    ])
    func `each notification has one true outcome`(effect: String) async throws {
        try await withGateway(devices: .open, seed: 11) { gateway in
            let isForConnections = effect.contains("slow-accept")
            let count = isForConnections ? 1 : 3
            let rule = #"{"effect":\#(effect),"probability":\#(count == 1 ? 1 : 0.2),"count":\#(count)}"#
            func addRule() async throws {
                #expect(try await gateway.control.call("POST", "/api/faults", rule).status == 201)
            }
            var configuration = ProviderConfiguration(
                gateway: APNSGateway(host: gateway.running.host, port: gateway.running.port),
                credentials: .token(key: gateway.signingKey, keyID: gateway.keyID, teamID: gateway.teamID),
                trust: .authorities(pem: gateway.caPEM))
            configuration.connections = 2
            let provider = try PushProvider(configuration)
            // The connection is open before time counts: some effects end with the time of a notification only.
            if isForConnections { try await addRule() }
            _ = try await provider.send(gateway.notification(to: "cd34", payload: silent))
            if !isForConnections { try await addRule() }
            let notifications = try Self.devices.map { try gateway.notification(to: $0, payload: silent) }
            var outcomes: [String: [APNSOutcome]] = [:]
            let (source, feed) = AsyncStream.makeStream(of: APNSNotification.self)
            for notification in notifications { feed.yield(notification) }
            feed.finish()
            for try await result in provider.send(all: source, timeout: .seconds(6)) {
                outcomes[result.notification.deviceToken.hex, default: []].append(result.outcome)
            }
            await provider.close()
            #expect(Set(outcomes.keys) == Set(Self.devices))
            let judged = Dictionary(grouping: gateway.notifications()) { $0.deviceToken ?? "" }
            for (device, outcome) in outcomes {
                let accepted = judged[device, default: []].count(where: \.isAccepted)
                #expect(outcome.count == 1 && accepted <= 1, "\(device): \(outcome)")
                switch outcome.first {
                case .accepted: #expect(accepted == 1)
                case .refused(let refusal):
                    #expect(judged[device]?.contains { $0.reason == refusal.reason } == true && accepted == 0)
                case .unsent(let error): #expect(accepted == 0, "\(error)")
                case .unknown, nil: break
                }
            }
            let used = try await gateway.control.call("GET", "/api/faults").json["faults"] as? [[String: Any]]
            #expect(used?.first?["remaining"] as? Int != count, "the rule has hit")
        }
    }
}
