import APNSModel
import APNSProvider
import Logging
import OrgSimulator
import ProviderToken
import SelectiveSync
import Synchronization
import ServiceHost

/// Sends the pushes of the org: those of an app with its own key, or else with that of the options.
struct OrgSenders {
    /// Nil where pushes are only logged.
    let gateway: APNSGateway?
    /// The control API of the gateway, if it runs on this machine and left a run file.
    var control: String? {
        guard let gateway else { return nil }
        let found = GatewayRunFile.running(in: RunFolders.all, removesLeft: false)
        return found.running.first { $0.gateway == gateway }?.control
    }
    private var byApp: [String: PushProvider] = [:]
    let tally = OrgTally()

    /// How many pushes are in flight at most.
    private static let maximumInFlight = 500
    /// The key id and team id of apps whose pushes are not signed.
    private static let unsigned = "0000000000"

    /// - Parameter org: Its apps get the ids of the keys that their pushes are signed with.
    init(_ options: CredentialOptions, _ file: OrgFile, _ org: inout Org) throws {
        let given = CredentialChoice.Given(options, topic: nil)
        let variables = CredentialChoice.Given.variables
        let profile = try options.profiles.chosen()
        let named = [given, variables, profile?.given ?? CredentialChoice.Given()].contains { $0.namesDestination }
        guard named else {
            gateway = nil
            for name in org.apps.keys { org.apps[name]?.takeIDs(OrgSenders.unsigned, OrgSenders.unsigned) }
            return
        }
        var defaultSender: (provider: PushProvider, keyID: String, teamID: String)?
        // At a terminal connections that open and close are not reported.
        var logger = Logger(label: "apns.org")
        logger.logLevel = .warning
        var gateway: APNSGateway?
        // Found once, so that all apps use the same gateway and its notes are shown once.
        var local: LocalGateway?
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
            let choice = try CredentialChoice(options: own, variables: variables, profile: profile) {
                name throws(CommandError) in
                if let local { return local }
                let found = try LocalGateway.find(name)
                local = found
                return found
            }
            if gateway == nil { for note in choice.notes { Output.standard.note(note) } }
            let configuration = try choice.configuration()
            let provider: PushProvider
            do throws(ProviderConfigurationError) {
                provider = try PushProvider(configuration, logger: logger)
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
            return server.answered(notification, OrgAnswer(status: nil, detail: why))
        }
        tally.began()
        do throws(APNSSendError) {
            switch try await provider.send(notification.notification) {
            case .accepted(let apnsID, let uniqueID):
                tally.ended(\.accepted)
                server.answered(notification, .accepted(apnsID: "\(apnsID)", uniqueID: uniqueID))
            case .refused(let refusal):
                tally.ended(\.refused)
                var answer = OrgAnswer(
                    status: refusal.reason.status, detail: refusal.reason.code,
                    timestamp: refusal.timestamp.map { ServerDate(millisecondsSince1970: $0) })
                answer.apnsID = refusal.apnsID.map { "\($0)" }
                server.answered(notification, answer)
            }
        } catch {
            tally.ended(error.isSafeToRetry ? \.unsent : \.unknown)
            server.answered(notification, OrgAnswer(status: nil, detail: "\(error)"))
        }
    }

    func close() async { for provider in providers { await provider.close() } }

    /// Pushes without an answer are given up.
    func closeNow() async { for provider in providers { await provider.close(within: .zero) } }

    private var providers: [PushProvider] {
        var found: Set<ObjectIdentifier> = []
        return byApp.values.filter { found.insert(ObjectIdentifier($0)).inserted }
    }
}

/// The pushes of a run by their outcomes.
final class OrgTally: Sendable {
    struct Counts: Hashable, Sendable {
        var inFlight = 0
        var accepted = 0
        var refused = 0
        var unsent = 0
        var unknown = 0

        /// Such as "2 pushes were accepted, 1 unsent".
        var summary: String {
            let others = [("refused", refused), ("unsent", unsent), ("unknown", unknown)].filter { $0.1 > 0 }
            return "\(accepted) \(accepted == 1 ? "push was" : "pushes were") accepted"
                + others.map { ", \($0.1) \($0.0)" }.joined()
        }
    }

    private let state = Mutex(Counts())

    var counts: Counts { state.withLock { $0 } }

    func began() { state.withLock { $0.inFlight += 1 } }

    func ended(_ outcome: WritableKeyPath<Counts, Int>) {
        state.withLock { counts in
            counts.inFlight -= 1
            counts[keyPath: outcome] += 1
        }
    }
}

extension OrgApp {
    fileprivate mutating func takeIDs(_ key: String, _ team: String) {
        keyID = keyID ?? key
        teamID = teamID ?? team
    }
}
