public import APNSModel
import APNSProvider
import DevelopmentCredentials
import GatewayConfiguration
import GatewayCore
import GatewayServer
import ProviderToken

/// Runs `body` with a gateway simulator of its own on free ports of this machine, and stops it afterwards.
///
/// Nothing is read or written: certificates and keys are made on the spot. Tests that run at once do not see each other.
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
///   - device: A device to begin with, in hexadecimal digits; nil begins with none.
///   - topic: The app of that device, and of what `TestGateway.notification` makes.
///   - topics: Bundle ids of further apps of the same team. An app that the gateway does not know is refused with
///     `TopicDisallowed`.
///   - devices: Whether device tokens that nobody registered are registered on first use or refused.
///   - contested: How to answer questions about APNs that are not settled, by name and value, such as
///     `["malformed-json": "refuse"]`; `docs/reasons.md` has all of them.
///   - seed: The same seed gives the same ids in the same order of requests.
/// - Throws: What `body` throws, a `TestGatewayError` for arguments that cannot be, and why the gateway cannot start.
public func withGateway<Result>(
    device: String? = nil, topic: String = "com.example.agent", topics: [String] = [],
    environment: APNSEnvironment = .sandbox, devices: TestGateway.DevicePolicy = .strict,
    clock: TestGateway.Clock = .real, contested: [String: String] = [:], seed: UInt64 = 0,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (TestGateway) async throws -> sending Result
) async throws -> sending Result {
    guard let named = Topic(topic) else { throw TestGatewayError("\"\(topic)\" is no topic") }
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
    /// - Parameter topic: Of what `TestGateway.notification` makes; nil for that of the credentials.
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
    /// In the order of the names, so that of two slips it is always the same one that is told.
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
