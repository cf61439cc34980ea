import APNSModel
import APNSProvider
import OrgSimulator
import ProviderToken
import SelectiveSync

/// Sends the pushes of the org: those of an app with its own key, or else with that of the options.
struct OrgSenders {
    /// Nil where pushes are only logged.
    let gateway: APNSGateway?
    private var byApp: [String: PushProvider] = [:]

    /// How many pushes are in flight at most.
    private static let maximumInFlight = 500
    /// The key id and team id of apps whose pushes are not signed.
    private static let unsigned = "0000000000"

    /// - Parameter org: Its apps get the ids of the keys that their pushes are signed with.
    init(_ options: CredentialOptions, _ file: OrgFile, _ org: inout Org) throws {
        let given = CredentialChoice.Given(options, topic: nil)
        let variables = CredentialChoice.Given.variables
        guard given.gateway ?? given.environment ?? variables.gateway != nil else {
            gateway = nil
            for name in org.apps.keys { org.apps[name]?.takeIDs(OrgSenders.unsigned, OrgSenders.unsigned) }
            return
        }
        var defaultSender: (provider: PushProvider, keyID: String, teamID: String)?
        var gateway: APNSGateway?
        for (name, app) in org.apps.sorted(by: { $0.key < $1.key }) {
            var own = given
            if let path = file.keyFiles[name] {
                own.key = path
                own.keyID = app.keyID
                own.teamID = app.teamID
            } else if let defaultSender {
                byApp[name] = defaultSender.provider
                org.apps[name]?.takeIDs(defaultSender.keyID, defaultSender.teamID)
                continue
            }
            let choice = try CredentialChoice(options: own, variables: variables) { () throws(CommandError) in
                try LocalCredentials.find(from: System.currentFolder)
            }
            let configuration = try choice.configuration()
            let provider: PushProvider
            do throws(ProviderConfigurationError) {
                provider = try PushProvider(configuration)
            } catch {
                throw CommandError("the credentials of app \(name) cannot be used: \(error)")
            }
            var ids = (OrgSenders.unsigned, OrgSenders.unsigned)
            if case .token(_, let keyID, let teamID) = configuration.credentials { ids = (keyID.value, teamID.value) }
            gateway = choice.gateway
            byApp[name] = provider
            org.apps[name]?.takeIDs(ids.0, ids.1)
            if file.keyFiles[name] == nil { defaultSender = (provider, ids.0, ids.1) }
        }
        self.gateway = gateway
    }

    /// Sends until the stream ends and every push has an answer.
    func run(_ notifications: AsyncStream<[OrgNotification]>, _ server: OrgServer) async {
        await withTaskGroup(of: Void.self) { group in
            var inFlight = 0
            for await batch in notifications {
                for notification in batch {
                    if inFlight >= OrgSenders.maximumInFlight {
                        await group.next()
                        inFlight -= 1
                    }
                    inFlight += 1
                    group.addTask { await send(notification, server) }
                }
            }
        }
    }

    private func send(_ notification: OrgNotification, _ server: OrgServer) async {
        guard let provider = byApp[notification.application] else {
            let why = gateway == nil ? "not sent: no --gateway was given" : "not sent: the app has no credentials"
            return server.answered(notification, status: nil, detail: why)
        }
        do throws(APNSSendError) {
            switch try await provider.send(notification.notification) {
            case .accepted: server.answered(notification, status: 200, detail: nil)
            case .refused(let refusal):
                server.answered(
                    notification, status: refusal.reason.status, detail: refusal.reason.code,
                    timestamp: refusal.timestamp.map { ServerDate(millisecondsSince1970: $0) })
            }
        } catch {
            server.answered(notification, status: nil, detail: "\(error)")
        }
    }

    func close() async {
        var closed: Set<ObjectIdentifier> = []
        for provider in byApp.values where closed.insert(ObjectIdentifier(provider)).inserted { await provider.close() }
    }
}

extension OrgApp {
    fileprivate mutating func takeIDs(_ key: String, _ team: String) {
        keyID = keyID ?? key
        teamID = teamID ?? team
    }
}
