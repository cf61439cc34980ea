public import APNSModel
import APNSProvider
import DevelopmentCredentials
import GatewayConfiguration
import GatewayCore
import GatewayServer
import ProviderToken

/// Runs `body` with a gateway simulator on free ports of this machine, and stops it afterwards.
///
/// It reads and writes no files: certificates and keys are generated. Tests that run in parallel do not affect each other.
///
/// ```swift
/// try await withGateway(device: "ab12", topic: "com.example.mail") { gateway in
///     let notification = try gateway.notification(to: "ab12", payload: #"{"aps":{"content-available":1}}"#)
///     let reply = try await gateway.provider.send(notification)
///     #expect(reply.isAccepted)
///     #expect(gateway.deliveries(to: "ab12").count == 1)
/// }
/// ```
///
/// - Parameters:
///   - device: The device token of a first device, in hexadecimal digits; nil for none.
///   - topic: The app of that device, and the topic of `TestGateway.notification`.
///   - topics: Bundle ids of further apps of the same team. An app that the gateway does not know is refused with
///     `TopicDisallowed`.
///   - devices: Whether unknown device tokens are registered on first use or refused.
///   - contested: How to answer unsettled questions about APNs, by name and value, such as
///     `["malformed-json": "refuse"]`; `docs/reasons.md` has all of them.
///   - seed: The same seed gives the same ids in the same order of requests.
/// - Throws: What `body` throws, a `TestGatewayError` for wrong arguments, and an error if the gateway cannot start.
public func withGateway<Result>(
    device: String? = nil, topic: String = "com.example.agent", topics: [String] = [],
    environment: APNSEnvironment = .sandbox, devices: TestGateway.DevicePolicy = .strict,
    clock: TestGateway.Clock = .real, contested: [String: String] = [:], seed: UInt64 = 0,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (TestGateway) async throws -> sending Result
) async throws -> sending Result {
    guard let named = Topic(topic) else { throw TestGatewayError("\"\(topic)\" is not a topic") }
    var configuration = GatewayConfiguration()
    configuration.port = 0
    configuration.controlPort = 0
    var credentials = try TestGateway.credentials.get()
    credentials.topic = named
    configuration.credentials = .given(credentials)
    configuration.environment = environment
    configuration.devices = devices == .open ? .open : .strict
    configuration.seed = seed
    try configuration.settings.contested.set(contested)
    configuration.grace = .seconds(1)
    configuration.budgets = .lifted
    configuration.apps = topics.map { RegisteredApp(topic: $0, teamID: credentials.teamID.value) }
    switch clock {
    case .real: configuration.clock = .real
    case .manual(let start): configuration.clock = .manual(at: (start ?? TestGateway.machineSeconds) * 1000)
    }
    return try await configuration.run(topic: named) { gateway in
        if let device { try gateway.register(device: device) }
        return try await body(gateway)
    }
}

extension GatewayConfiguration {
    /// Runs `body` with a gateway, and stops the gateway afterwards.
    ///
    /// - Parameter topic: The topic of `TestGateway.notification`; nil for that of the credentials.
    package func run<Result>(
        topic: Topic? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: (TestGateway) async throws -> sending Result
    ) async throws -> sending Result {
        let running = try await GatewayServer(self).start()
        do {
            let gateway = try TestGateway(running, topic: topic ?? running.credentials.topic)
            let result: Result
            do {
                result = try await body(gateway)
            } catch {
                await gateway.provider.close()
                throw error
            }
            await gateway.provider.close()
            await running.shutdown()
            return result
        } catch {
            await running.shutdown()
            throw error
        }
    }
}

extension ContestedSettings {
    /// In the order of the names, so that of two mistakes always the same one is reported.
    mutating func set(_ words: [String: String]) throws(TestGatewayError) {
        for (name, word) in words.sorted(by: { $0.key < $1.key }) {
            do throws(UnknownSetting) {
                try set(name, to: word)
            } catch {
                throw TestGatewayError(error.description)
            }
        }
    }
}
