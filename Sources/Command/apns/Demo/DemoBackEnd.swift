import APNSModel
import APNSProvider
import DevelopmentCredentials
import Foundation
import GatewayConfiguration
import GatewayCore
import GatewayServer
import Logging
import OrgSimulator
import ProviderToken
import PushDispatch
import SelectiveSync
import Synchronization
import ServiceHost

/// The back end of the demo: the CRM, the gateway, and the provider between them.
final class DemoBackEnd: Sendable {
    let org: OrgServer
    let gateway: RunningGateway
    let provider: PushProvider
    let meter = DemoMeter()
    /// Whether the back end sends pushes itself. Before that, the demo sends, to show each step.
    private let sends = Switch()
    private let sending: Task<Void, Never>
    private let notifications: AsyncStream<[OrgNotification]>.Continuation

    private final class Switch: Sendable {
        let isOn = Mutex(false)
    }

    static let user = RecordID("005xx000001X8Uz")!
    static let userName = "ada@example.com"
    static let topic = Topic(DevelopmentCredentials.defaultTopic)!
    /// The session of the device that is a separate process.
    static let accessToken = "demo-session"
    private static let application = OutgoingPush.defaultApplication

    /// - Parameters:
    ///   - fill: Adds records to the org before it starts.
    ///   - onPush: Called with the pushes of the triggers.
    ///   - onCall: Called after every call that the org has answered.
    static func start(
        fill: (inout Org, ServerDate) throws -> Void, onPush: @escaping OrgServer.PushHandler,
        onCall: @escaping @Sendable (OrgServer.Call) -> Void
    ) async throws -> DemoBackEnd {
        var configuration = GatewayConfiguration()
        configuration.port = 0
        configuration.controlPort = 0
        configuration.devices = .strict
        let gateway: RunningGateway
        do throws(CredentialsError) {
            configuration.credentials = .given(try .make())
        } catch {
            throw CommandError("the gateway could not start: \(error.detail)")
        }
        do throws(GatewayError) {
            gateway = try await GatewayServer(configuration).start()
        } catch {
            throw CommandError("the gateway could not start: \(error.detail)")
        }
        do {
            return try await DemoBackEnd(gateway, fill: fill, onPush: onPush, onCall: onCall)
        } catch {
            await gateway.shutdown()
            throw error
        }
    }

    private init(
        _ gateway: RunningGateway, fill: (inout Org, ServerDate) throws -> Void,
        onPush: @escaping OrgServer.PushHandler, onCall: @escaping @Sendable (OrgServer.Call) -> Void
    ) async throws {
        let credentials = gateway.credentials
        var org = Org()
        org.users[DemoBackEnd.user] = OrgUser(DemoBackEnd.user, name: DemoBackEnd.userName)
        var app = OrgApp(DemoBackEnd.application, bundleID: DemoBackEnd.topic)
        app.keyID = credentials.keyID.value
        app.teamID = credentials.teamID.value
        org.apps[app.name] = app
        try fill(&org, ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000) - 86_400_000))

        let provider = try PushProvider(
            ProviderConfiguration(
                gateway: APNSGateway(host: "127.0.0.1", port: gateway.port),
                credentials: .token(key: credentials.key, keyID: credentials.keyID, teamID: credentials.teamID),
                trust: .authorities(pem: credentials.caPEM)), logger: .silent("apns.demo"))
        let (stream, continuation) = AsyncStream.makeStream(of: [OrgNotification].self)
        var options = OrgServer.Options()
        options.onPush = onPush
        options.onNotifications = { [sends] in if sends.isOn.withLock({ $0 }) { continuation.yield($0) } }
        options.onCall = { [meter] call in
            meter.count(call)
            onCall(call)
        }
        let rest = OrgREST(sessions: [DemoBackEnd.accessToken: DemoBackEnd.user], makeToken: RandomToken.make)
        let server = try await OrgServer.start(OrgWorld(org, rest: rest), options)
        self.gateway = gateway
        self.provider = provider
        self.org = server
        notifications = continuation
        sending = Task {
            for await batch in stream {
                for notification in batch { await DemoBackEnd.send(notification, provider, server) }
            }
        }
    }

    /// Sends a push of a trigger to a device that is registered with the CRM.
    private static func send(_ notification: OrgNotification, _ provider: PushProvider, _ org: OrgServer) async {
        do {
            let reply = try await provider.send(notification.notification)
            org.answered(
                notification, OrgAnswer(status: reply.status, detail: reply.isAccepted ? nil : "\(reply)"))
        } catch {
            org.answered(notification, OrgAnswer(status: nil, detail: "\(error)"))
        }
    }

    /// From now on the back end sends the pushes of the triggers.
    func beginSending() { sends.isOn.withLock { $0 = true } }

    /// How many devices are registered with the CRM.
    var deviceCount: Int { org.read { $0.org.devices.count } }

    func stop() async {
        notifications.finish()
        await sending.value
        await provider.close()
        await gateway.shutdown()
        await org.stop()
    }

    // MARK: The CRM as its users and administrators use it

    /// Changes records in one save, as Ada does in a browser.
    func save(_ changes: [Org.Change]) throws(OrgError) { try org.update(changes, by: DemoBackEnd.user) }

    func record(_ id: RecordID) -> OrgRecord? { org.read { $0.org[id] } }

    func records(of object: String) -> [OrgRecord] { org.read { $0.org.records(of: object) } }

    /// Logs Ada in.
    func logIn() throws -> OAuthTokens {
        let members = try control("login", ["user": .string(DemoBackEnd.userName)])
        guard let instance = URL(string: members["instance_url"]?.string ?? ""),
            let access = members["access_token"]?.string
        else { throw CommandError("the CRM did not log the user of the demo in") }
        return OAuthTokens(instance: instance, accessToken: access, refreshToken: members["refresh_token"]?.string)
    }

    var oauthApp: OAuthApp {
        get throws {
            guard let address = URL(string: org.url + "/services/oauth2/token") else {
                throw CommandError("the CRM has no address")
            }
            return OAuthApp(tokenAddress: address, clientID: DemoBackEnd.application)
        }
    }

    /// Expires all access tokens. Refresh tokens stay valid.
    func expireSessions() throws { _ = try control("expire", [:]) }

    private func control(_ path: String, _ body: [String: JSONValue]) throws -> [String: JSONValue] {
        var call = ServiceRequest("POST", "/simulator/" + path)
        call.body = JSONValue.object(body).compactBytes
        let response = org.answer(call)
        guard (200..<300).contains(response.status) else {
            throw CommandError("the CRM refused \(path): \(String(decoding: response.body, as: UTF8.self))")
        }
        return (try? JSONReader.read(response.body, limits: .push).object) ?? [:]
    }
}
