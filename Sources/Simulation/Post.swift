import APNSModel
import APNSProvider
import GatewayCore
import OrgSimulator
import ProviderToken
import PushDispatch

/// Sender and gateway, with the wire between them and the air behind.
///
/// @unchecked: all of it belongs to the thread of the simulation.
final class Post: @unchecked Sendable {
    private struct Stream {
        let id: UInt64
        let number: Int32
        /// Whether all of it has left the sender.
        var isSent: Bool
        var isJudged = false
    }

    private struct Link {
        /// Tells a new connection from the one before it.
        let generation: Int
        var isOpen = false
        var isDead = false
        var connection = GatewayConnection(environment: .sandbox)
        var streams: [Int: Stream] = [:]
        var nextStream: Int32 = 1
    }

    private static let topic = "com.example.agent"
    private static let keyID = "KEY0000001"
    private static let teamID = "TEAM000001"
    /// One for all runs; nothing that is decided depends on it.
    private static let key = Result { () throws(KeyError) in try SigningKey.generate() }

    private unowned let run: Run
    private var driver: ProviderDriver
    private(set) var world: World
    private let tokens: SignedTokenSource
    private var token: SignedToken?
    private var tokenNumber = 0
    private var links: [Int: Link] = [:]
    private var lastGeneration = 0
    private var lastID: UInt64 = 0
    /// How often the gateway judged each submission.
    private var judged: [UInt64: Int] = [:]
    private var outcomes: [UInt64: Outcome] = [:]
    private var isTicking = false
    private var nextWorldChange: Int64?

    init(_ run: Run) throws {
        self.run = run
        let key = try Post.key.get()
        guard let keyID = KeyID(Post.keyID), let teamID = TeamID(Post.teamID) else {
            preconditionFailure("the ids of the simulation are well formed")
        }
        tokens = SignedTokenSource(key: key, keyID: keyID, teamID: teamID)
        driver = ProviderDriver(connections: run.settings.connections, seed: run.random.next())
        var settings = WorldSettings()
        settings.deviceRegistration = .strict
        settings.seed = run.random.next()
        if run.settings.documentedBudgets { settings.budgets = .documented }
        world = try World(
            WorldStart(
                settings: settings,
                keys: [ProviderKey(keyID: Post.keyID, teamID: Post.teamID, verifyingKey: key.publicKey)],
                apps: [RegisteredApp(topic: Post.topic, teamID: Post.teamID)]), real: Run.start)
    }

    private var real: Int64 { Run.start + run.timeline.now }
    private var now: MonotonicTime { MonotonicTime(nanoseconds: run.timeline.now * 1_000_000) }

    func register(_ device: SimulatedDevice) throws {
        _ = try world.register(DeviceRegistration(topic: Post.topic, token: device.token.hex), real: real)
        if let events = world.subscribe(device.token, in: .sandbox, real: real)?.events { happened(events) }
    }
}

// MARK: - The sender

extension Post {
    func send(_ pushes: [OutgoingPush]) {
        for push in pushes {
            for device in run.devices where device.account == push.targetUser { send(push, to: device) }
        }
    }

    private func send(_ push: OutgoingPush, to device: SimulatedDevice) {
        guard case .object(var members)? = try? JSONReader.read(push.payload, limits: JSONLimits(
            maximumBytes: 4_096, maximumDepth: 8, maximumValues: 4_096))
        else { return }
        members["userId"] = .string(push.targetUser.description)
        if run.settings.sendsPushIDs { members["pushId"] = .string("\(run.nextNumber())") }
        send(JSONValue.object(members).compactBytes, to: device)
    }

    func send(_ payload: [UInt8], to device: SimulatedDevice) {
        guard let topic = Topic(Post.topic) else { return }
        lastID += 1
        run.count(.pushSent)
        run.trace("the org sends push \(lastID) to \(device.name)")
        var notification = APNSNotification(
            to: device.token, topic: topic, pushType: .background, priority: .powerConsiderate, payload: payload)
        if run.settings.collapses { notification.collapseID = CollapseID("hint") }
        driver.submit(notification, id: lastID, until: now + .seconds(30))
        if run.mishap(3) { driver.cancel(lastID) }
        turn()
    }

    /// Does all that can be done now.
    private func turn() {
        for link in links.keys.sorted() where links[link]?.isOpen == true { fill(link) }
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
            driver.expire(at: now)
            turn()
        }
    }

    private func fill(_ link: Int) {
        if let fresh = try? tokens.token(now: now, wallClock: real / 1_000), fresh != token {
            token = fresh
            tokenNumber += 1
        }
        var used = Set((links[link]?.streams ?? [:]).keys)
        let requests = driver.fill(link, at: now, tokenNumber: tokenNumber) {
            let slot = (0...).first { !used.contains($0) } ?? 0
            used.insert(slot)
            return slot
        }
        for request in requests {
            guard var state = links[link] else { return }
            let number = state.nextStream
            state.nextStream += 2
            let isSent = !run.mishap(run.settings.linkFaultPercent)
            state.streams[request.slot] = Stream(id: request.id, number: number, isSent: isSent)
            links[link] = state
            let generation = state.generation
            let trip = Int64(2 + run.number(below: 40)) + (isSent ? 0 : 500)
            let head = head(of: request)
            run.timeline.after(trip) { [self] in
                arrive(head, request.notification.payload, link, generation, request.slot, number)
            }
        }
    }

    private func head(of request: ProviderDriver.Request) -> RequestHead {
        var head = RequestHead(path: "/3/device/" + request.notification.deviceToken.hex)
        head.authorization = token.map { String(decoding: $0.authorization, as: UTF8.self) }
        head.topic = Post.topic
        head.pushType = request.notification.pushType.rawValue
        head.priority = request.notification.priority.map { "\($0.rawValue)" }
        head.collapseID = request.notification.collapseID?.value
        head.apnsID = request.apnsID
        return head
    }

    private func perform(_ action: ProviderDriver.Action) {
        switch action {
        case .connect(let link):
            lastGeneration += 1
            let generation = lastGeneration
            links[link] = Link(generation: generation)
            let fails = run.mishap(run.settings.linkFaultPercent)
            run.timeline.after(Int64(10 + run.number(below: 100))) { [self] in
                guard links[link]?.generation == generation else { return }
                fails ? lose(link, "refused") : open(link)
                turn()
            }
        case .close(let link): lose(link, "closed")
        case .abort(let link): lose(link, "silent")
        case .ping(let link):
            guard let state = links[link], !state.isDead else { return }
            run.timeline.after(30) { [self] in
                if links[link]?.generation == state.generation { driver.heard(link, at: now) }
            }
        case .reset(let link, let slot):
            guard links[link]?.streams.removeValue(forKey: slot) != nil else { return }
            driver.closed(link, slot: slot, isRefused: false, words: "CANCEL", at: now)
        }
    }

    private func resolve(_ settled: ProviderDriver.Settled) {
        if outcomes.updateValue(settled.outcome, forKey: settled.id) != nil {
            run.fault("push \(settled.id) has two outcomes")
        }
        run.trace("push \(settled.id) is \(settled.outcome.word)")
        let times = judged[settled.id, default: 0]
        switch settled.outcome {
        case .accepted where times != 1, .refused where times != 1, .unsent where times != 0,
            .unknown where times > 1:
            run.fault("push \(settled.id) is \(settled.outcome.word), and the gateway judged it \(times) times")
        case .refused(let refusal):
            run.count(.pushRefused)
            run.trace("push \(settled.id): \(refusal.reason)")
            if refusal.reason == .expiredProviderToken, settled.refusedToken == tokenNumber, let token {
                tokens.expired(token)
            }
        case .unsent: run.count(.pushUnsent)
        case .unknown: run.count(.pushUnknown)
        case .accepted: break
        }
    }

    func checkEnds() {
        if !driver.isBusy, outcomes.count != Int(lastID) {
            run.fault("\(lastID) pushes were submitted, and \(outcomes.count) have an outcome")
        }
        if driver.isBusy { run.fault("the sender does not come to rest") }
    }
}

// MARK: - The wire

extension Post {
    private func open(_ link: Int) {
        guard var state = links[link] else { return }
        state.isOpen = true
        _ = state.connection.opened(certificate: nil, settings: world.settings, at: world.now(real: real))
        links[link] = state
        driver.opened(link, streamLimit: Int(state.connection.streamLimit), at: now)
    }

    private func lose(_ link: Int, _ words: String) {
        guard let state = links.removeValue(forKey: link) else { return }
        driver.lost(link, words: words, at: now) { state.streams[$0]?.isSent ?? true }
    }

    private func arrive(
        _ head: RequestHead, _ payload: [UInt8], _ link: Int, _ generation: Int, _ slot: Int, _ number: Int32
    ) {
        guard var state = links[link], state.generation == generation, state.streams[slot]?.number == number,
            !state.isDead
        else { return }
        if run.mishap(run.settings.linkFaultPercent) { return fail(link) }
        state.streams[slot]?.isSent = true
        state.streams[slot]?.isJudged = true
        let id = state.streams[slot]?.id ?? 0
        judged[id, default: 0] += 1
        let request = CompleteRequest(stream: number, head: head, body: payload)
        let judgement = world.judge(request, on: &state.connection, real: real)
        links[link] = state
        happened(judgement.events)
        guard let response = judgement.response, !run.mishap(run.settings.linkFaultPercent / 2) else { return }
        run.timeline.after(Int64(2 + run.number(below: 40))) { [self] in
            guard links[link]?.generation == generation, links[link]?.streams[slot]?.number == number,
                links[link]?.isDead == false
            else { return }
            if let limit = judgement.streamLimit { driver.streamLimit(link, Int(limit)) }
            driver.answered(
                link, slot: slot, status: response.status, uniqueID: response.uniqueID, body: response.body, at: now)
            links[link]?.streams[slot] = nil
            driver.closed(link, slot: slot, isRefused: false, words: "NO_ERROR", at: now)
            turn()
        }
        turn()
    }

    /// Something happens to a connection.
    func fail(_ link: Int? = nil) {
        guard let link = link ?? run.pick(links.keys.sorted()), links[link]?.isOpen == true else { return }
        switch run.number(below: 3) {
        case 0:
            run.count(.connectionLost)
            run.trace("a connection of the sender breaks")
            lose(link, "reset by the gateway")
        case 1:
            run.count(.goAway)
            run.trace("the gateway says GOAWAY")
            driver.goAway(link, reason: "Shutdown")
            let streams = links[link]?.streams ?? [:]
            for slot in streams.keys.sorted() where streams[slot]?.isJudged == false {
                links[link]?.streams[slot] = nil
                driver.closed(link, slot: slot, isRefused: true, words: "REFUSED_STREAM", at: now)
            }
        default:
            run.count(.connectionLost)
            run.trace("a connection of the sender is dead, and nobody says so")
            links[link]?.isDead = true
        }
        turn()
    }
}

// MARK: - The gateway and its devices

extension Post {
    func patch(_ device: SimulatedDevice, _ patch: DevicePatch) {
        if let events = world.patch(device.token, in: .sandbox, patch, real: real)?.events { happened(events) }
    }

    private func happened(_ events: [DeliveryEvent]) {
        for event in events {
            switch event.stage {
            case .delivered: deliver(event.delivery)
            case .replaced: run.count(.pushReplaced)
            default: break
            }
        }
        let change = world.nextChange
        guard change < .max, nextWorldChange.map({ change < $0 }) ?? true else { return }
        nextWorldChange = change
        run.timeline.at(change - Run.start) { [self] in
            nextWorldChange = nil
            happened(world.expireStored(real: real))
        }
    }

    /// Through the air, where a push may be lost, late, doubled, or overtaken.
    private func deliver(_ delivery: Delivery) {
        guard let device = run.devices.first(where: { $0.token == delivery.token }) else { return }
        if run.chance(run.settings.lostPercent) {
            run.count(.pushLost)
            return run.trace("a push to \(device.name) is lost")
        }
        var copies = 1
        if run.mishap(run.settings.doubledPercent) {
            run.count(.pushDoubled)
            copies = 2
        }
        for _ in 0..<copies {
            var trip = Int64(10 + run.number(below: 300))
            if run.mishap(run.settings.latePercent) {
                run.count(.pushLate)
                trip = Int64(run.number(below: 60_000))
            }
            run.timeline.after(trip) { device.receive(delivery.payload) }
        }
    }
}
