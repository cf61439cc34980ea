import APNSModel
import APNSProvider
import GatewayCore
import OrgSimulator
import ProviderToken
import PushDispatch

/// Sender and gateway, with the connections between them and the delivery to devices.
///
/// @unchecked: only the thread of the simulation uses it.
final class SimulatedPushService: @unchecked Sendable {
    struct Stream {
        let id: UInt64
        let number: Int32
        /// Whether all bytes have left the sender.
        var isSent: Bool
        var isJudged = false
    }

    struct Connection {
        /// Distinguishes a new connection from an earlier one in the same slot.
        let generation: Int
        var isOpen = false
        var isDead = false
        var gatewayConnection = GatewayConnection(environment: .sandbox)
        var streams: [Int: Stream] = [:]
        var nextStream: Int32 = 1
        /// Whether the gateway has said GOAWAY.
        var isLeaving = false
        var opened: Int64 = 0
        var firstAnswer: Int64?
        var lastAnswer: Int64?
    }

    private static let topic = "com.example.agent"
    private static let keyID = "KEY0000001"
    private static let teamID = "TEAM000001"
    /// One key for all runs; no decision depends on its value.
    private static let key = Result { () throws(KeyError) in try SigningKey.generate() }

    unowned let run: Run
    var driver: ProviderDriver
    var world: World
    private let tokens: ProviderTokenSource
    private var token: SignedToken?
    private var tokenNumber = 0
    var connections: [Int: Connection] = [:]
    private var lastGeneration = 0
    private var lastID: UInt64 = 0
    /// How often the gateway judged each submission.
    var judged: [UInt64: Int] = [:]
    private var outcomes: [UInt64: APNSOutcome] = [:]
    var audit: ConnectionAudit
    /// How the gateway fails to serve now.
    var outage: Outage?
    private var isTicking = false
    var nextWorldChange: Int64?

    init(_ run: Run) throws {
        self.run = run
        let key = try SimulatedPushService.key.get()
        guard let keyID = KeyID(SimulatedPushService.keyID), let teamID = TeamID(SimulatedPushService.teamID) else {
            preconditionFailure("the ids of the simulation are well formed")
        }
        tokens = ProviderTokenSource(key: key, keyID: keyID, teamID: teamID)
        driver = ProviderDriver(connections: run.settings.connections, seed: run.random.next())
        audit = ConnectionAudit(connections: run.settings.connections)
        var settings = WorldSettings()
        settings.unknownDevices = .strict
        settings.seed = run.random.next()
        if run.settings.documentedBudgets { settings.budgets = .documented }
        world = try World(
            WorldStart(
                settings: settings,
                keys: [
                    ProviderKey(
                        keyID: SimulatedPushService.keyID, teamID: SimulatedPushService.teamID,
                        verifyingKey: key.publicKey)
                ],
                apps: [RegisteredApp(topic: SimulatedPushService.topic, teamID: SimulatedPushService.teamID)]),
            real: Run.start)
    }

    var real: Int64 { Run.start + run.timeline.now }
    var now: MonotonicTime { MonotonicTime(nanoseconds: run.timeline.now * 1_000_000) }

    func register(_ device: AuditedDevice) throws {
        _ = try world.register(
            DeviceRegistration(topic: SimulatedPushService.topic, token: device.token.hex), real: real)
        if let events = world.subscribe(device.token, in: .sandbox, real: real)?.events { happened(events) }
    }
}

// MARK: - The sender

extension SimulatedPushService {
    func send(_ pushes: [OutgoingPush]) {
        for push in pushes {
            for device in run.devices where device.account == push.targetUser { send(push, to: device) }
        }
    }

    private func send(_ push: OutgoingPush, to device: AuditedDevice) {
        let limits = JSONLimits(maximumBytes: 4_096, maximumDepth: 8, maximumValues: 4_096)
        guard case .object(var members)? = try? JSONReader.read(push.payload, limits: limits) else { return }
        members["userId"] = .string(push.targetUser.description)
        if run.settings.sendsPushIDs { members["pushId"] = .string("\(run.nextNumber())") }
        send(JSONValue.object(members).compactBytes, to: device)
    }

    func send(_ payload: [UInt8], to device: AuditedDevice) {
        guard let topic = Topic(SimulatedPushService.topic) else { return }
        lastID += 1
        run.count(.pushSent)
        run.trace("the org sends push \(lastID) to \(device.name)")
        var notification = APNSNotification(
            to: device.token, topic: topic, pushType: .background, priority: .powerConsiderate, payload: payload)
        if run.settings.collapses { notification.collapseID = CollapseID("hint") }
        driver.submit(notification, id: lastID, until: now + .milliseconds(ConnectionAudit.timeout))
        audit.submitted(lastID, at: run.timeline.now)
        if run.injectsFault(3) { cancel(lastID) }
        turn()
    }

    /// Performs all actions that are possible now.
    func turn() {
        for connection in connections.keys.sorted() where connections[connection]?.isOpen == true { fill(connection) }
        while true {
            let actions = driver.takeActions(at: now)
            if actions.isEmpty { break }
            for action in actions { perform(action) }
        }
        for settled in driver.takeSettled() { resolve(settled) }
        guard driver.isBusy, !isTicking else { return }
        isTicking = true
        run.timeline.after(1_000) { [self] in
            isTicking = false
            let connections = connections
            driver.expire(at: now) { connections[$0]?.streams[$1]?.isSent ?? true }
            turn()
        }
    }

    private func cancel(_ id: UInt64) {
        let connections = connections
        driver.cancel(id) { connections[$0]?.streams[$1]?.isSent ?? true }
    }

    private func fill(_ connection: Int) {
        if let newToken = try? tokens.token(now: now, wallClock: real / 1_000), newToken != token {
            token = newToken
            tokenNumber += 1
        }
        var used = Set((connections[connection]?.streams ?? [:]).keys)
        let requests = driver.fill(connection, at: now, tokenNumber: tokenNumber) {
            let slot = (0...).first { !used.contains($0) } ?? 0
            used.insert(slot)
            return slot
        }
        for request in requests {
            guard var state = connections[connection] else { return }
            let number = state.nextStream
            state.nextStream += 2
            let isSent = !run.injectsFault(run.settings.connectionFaultPercent)
            state.streams[request.slot] = Stream(id: request.id, number: number, isSent: isSent)
            connections[connection] = state
            let generation = state.generation
            let trip = Int64(2 + run.number(below: 40)) + (isSent ? 0 : 500)
            let head = head(of: request)
            run.timeline.after(trip) { [self] in
                arrive(head, request.notification.payload, connection, generation, request.slot, number)
            }
        }
    }

    private func head(of request: ProviderDriver.Request) -> RequestHead {
        var head = RequestHead(path: "/3/device/" + request.notification.deviceToken.hex)
        head.authorization = token.map { String(decoding: $0.authorization, as: UTF8.self) }
        head.topic = SimulatedPushService.topic
        head.pushType = request.notification.pushType.rawValue
        head.priority = request.notification.priority.map { "\($0.rawValue)" }
        head.collapseID = request.notification.collapseID?.value
        head.apnsID = request.apnsID
        return head
    }

    private func perform(_ action: ProviderDriver.Action) {
        switch action {
        case .open(let connection):
            lastGeneration += 1
            let generation = lastGeneration
            connections[connection] = Connection(generation: generation)
            if let violation = audit.connects(at: run.timeline.now) { run.reportViolation(violation) }
            let fails = run.injectsFault(run.settings.connectionFaultPercent)
            run.timeline.after(Int64(10 + run.number(below: 100))) { [self] in
                guard connections[connection]?.generation == generation else { return }
                if let outage = currentOutage {
                    apply(outage, to: connection)
                } else {
                    fails ? lose(connection, "refused") : open(connection)
                }
                turn()
            }
        case .close(let connection): lose(connection, "closed")
        case .abort(let connection): lose(connection, "silent")
        case .ping(let connection):
            guard let state = connections[connection], !state.isDead else { return }
            run.timeline.after(30) { [self] in
                if connections[connection]?.generation == state.generation { driver.heard(connection, at: now) }
            }
        case .reset(let connection, let slot):
            guard let stream = connections[connection]?.streams.removeValue(forKey: slot) else { return }
            audit.abandoned(stream.id)
            driver.closed(connection, slot: slot, isRefused: false, description: "CANCEL", at: now)
        }
    }

    private func resolve(_ settled: ProviderDriver.Settled) {
        if outcomes.updateValue(settled.outcome, forKey: settled.id) != nil {
            run.reportViolation("push \(settled.id) has two outcomes")
        }
        run.trace("push \(settled.id) is \(settled.outcome.name)")
        let times = judged[settled.id, default: 0]
        switch settled.outcome {
        case .accepted where times != 1, .refused where times != 1, .unsent where times != 0,
            .unknown where times > 1:
            run.reportViolation(
                "push \(settled.id) is \(settled.outcome.name), but the gateway judged it \(times) times")
        case .refused(let refusal):
            run.trace("push \(settled.id): \(refusal.reason)")
            if refusal.reason == .expiredProviderToken, settled.refusedToken == tokenNumber, let token {
                tokens.refused(token, refusal.reason)
            }
        case .unsent(let error):
            run.count(.pushUnsent)
            if error.code != .cancelled,
                let violation = audit.unsent(settled.id, Array(connections.values), at: run.timeline.now)
            {
                run.reportViolation(violation)
            }
        case .unknown: run.count(.pushUnknown)
        case .accepted: break
        }
    }

    func checkEnds() {
        if !driver.isBusy, outcomes.count != Int(lastID) {
            run.reportViolation("\(lastID) pushes were submitted, but \(outcomes.count) have an outcome")
        }
        if driver.isBusy { run.reportViolation("the sender does not become idle") }
    }
}
