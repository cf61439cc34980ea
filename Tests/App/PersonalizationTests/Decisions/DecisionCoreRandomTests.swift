import EventDelivery
import Foundation
import PushDispatch
import TestSeeds
import Testing

@testable import Personalization

/// Drives a core with random fetches, answers, log-ins and kills, and checks after each step what must always hold.
private struct DecisionCoreWorld {
    private var random: TestGenerator
    private var core: DecisionCore
    private let configuration: DecisionConfiguration
    private var now = DispatchMoment(milliseconds: 0)
    private var stored: [UInt8]?
    /// The identity for whom each reply was made: it stands in its ids.
    private var identity = IdentitySnapshot(deviceID: "d")
    /// Requests in progress, with the person in their body.
    private var requests: [(id: DecisionCore.RequestID, person: Int, points: [String], isStopped: Bool)] = []
    /// Calls that wait, with their latest end.
    private var calls: [DecisionCore.CallID: DispatchMoment] = [:]
    private var generation = 0
    private(set) var answered = 0
    private(set) var fromCache = 0
    private var credits = 0

    init(_ seed: TestSeed) throws {
        random = seed.generator
        var configuration = DecisionConfiguration(endpoint: try #require(URL(string: "https://t.example.com")))
        configuration.graphs = ["b": "accounts", "c": "accounts"]
        configuration.maximumRequests = Int.random(in: 1...6, using: &random)
        configuration.cache.maximumEntries = Int.random(in: 0...6, using: &random)
        configuration.cache.maximumBytes = Int.random(in: 100...5_000, using: &random)
        if Bool.random(using: &random) { configuration.defaults = ["a": DefaultContent()] }
        self.configuration = configuration
        core = DecisionCore(configuration: configuration)
        start()
    }

    private var wallTime: EventTime { EventTime(milliseconds: now.milliseconds) }

    private mutating func start() {
        perform(core.identityChanged(to: identity))
        perform(core.consentChanged(to: .optedIn))
    }

    mutating func step() throws {
        now = now.advanced(byMilliseconds: Int64.random(in: 0...4_000, using: &random))
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: fetch()
        case 8..<14: answer()
        case 14:
            if let call = calls.keys.sorted().randomElement(using: &random) { perform(core.cancelled(call)) }
        case 15:
            generation += 1
            identity.generation = generation
            identity.userID = Bool.random(using: &random) ? "u\(Int.random(in: 0...2, using: &random))" : nil
            perform(core.identityChanged(to: identity))
            #expect(calls.isEmpty && core.cache.count == 0)
        case 16:
            perform(core.consentChanged(to: .optedOut))
            #expect(calls.isEmpty && core.cache.count == 0)
            perform(core.consentChanged(to: .optedIn))
        case 17: core.networkChanged(isOnline: Bool.random(using: &random))
        case 18: try kill()
        default:
            let query = query()
            check(core.cached(query, wallTime: wallTime))
        }
        for (call, end) in calls.sorted(by: { $0.key < $1.key }) where end <= now {
            perform(core.timedOut(call, wallTime: wallTime))
            #expect(calls[call] == nil)
        }
        #expect(core.requests.count <= configuration.maximumRequests)
        #expect(core.cache.count <= configuration.cache.maximumEntries)
        #expect(core.cache.bytes <= configuration.cache.maximumBytes)
        #expect(core.cache.byUse.reduce(0) { $0 + $1.entry.bytes } == core.cache.bytes)
        #expect(Set(core.calls.keys) == Set(calls.keys))
        #expect(core.credits == credits)
    }

    private mutating func query() -> DecisionQuery {
        let points = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
        }
        return DecisionQuery(
            points: points, context: DecisionContext(attributes: Bool.random(using: &random) ? ["x": 1] : [:]))
    }

    private mutating func fetch() {
        let timeout = Int64.random(in: 1...20_000, using: &random)
        let query = query()
        if Int.random(in: 0..<5, using: &random) == 0 {
            perform((try? core.prefetch(query, olderThan: timeout, at: now, wallTime: wallTime)) ?? [])
            return
        }
        let (outcome, actions) = core.fetch(query, timeout: timeout, at: now, wallTime: wallTime)
        switch outcome {
        case .finished(let result): check(result)
        case .waiting(let call, let until):
            #expect(until == now.advanced(byMilliseconds: timeout))
            calls[call] = until
        }
        perform(actions)
    }

    private mutating func answer() {
        guard let index = requests.indices.randomElement(using: &random) else { return }
        let request = requests.remove(at: index)
        let points = request.points.filter { _ in Int.random(in: 0..<8, using: &random) > 0 }
        let answer: Result<DecisionHTTPReply, DecisionError>
        switch Int.random(in: 0..<8, using: &random) {
        case 0: answer = .failure(DecisionError(.network, "lost"))
        case 1: answer = .success(.test("{", status: 200))
        case 2: answer = .success(.test("{}", status: Bool.random(using: &random) ? 503 : 429))
        case 3 where !request.isStopped:
            perform(core.expired(request.id, at: now, wallTime: wallTime))
            return
        default: answer = .success(.test(points.shuffled(using: &random), number: request.person))
        }
        let count = core.cache.count
        perform(core.answered(request.id, answer, at: now, wallTime: wallTime))
        if request.isStopped { #expect(core.cache.count == count) }
    }

    /// The process ends; what was stored stays.
    private mutating func kill() throws {
        calls = [:]
        requests = []
        credits = 0
        core = DecisionCore(configuration: configuration)
        if let stored { perform(try core.loaded(stored)) }
        start()
    }

    private mutating func perform(_ actions: [DecisionCore.Action]) {
        for action in actions {
            switch action {
            case .send(let id, _, let body, _):
                let text = String(decoding: body, as: UTF8.self)
                let points = ["a", "b", "c", "d"].filter { text.contains(#"{"name":"\#($0)"}"#) }
                credits += points.count
                requests.append((id, generation, points, false))
            case .stop(let id):
                for index in requests.indices where requests[index].id == id { requests[index].isStopped = true }
            case .answer(let call, let result):
                #expect(calls.removeValue(forKey: call) != nil)
                check(result)
            case .save: stored = core.cache.encoded()
            case .report: break
            }
        }
    }

    /// Nobody sees what was decided for somebody else.
    private mutating func check(_ result: Result<FetchedDecisions, DecisionError>) {
        answered += 1
        if case .success(let fetched) = result { check(fetched) }
    }

    private mutating func check(_ fetched: FetchedDecisions) {
        for part in fetched.parts {
            if part.source == .cache { fromCache += 1 }
            for decision in part.decisions where !decision.isDefault {
                #expect(decision.personalizationID == "\(generation)-\(decision.point)")
                #expect(part.points.contains(decision.point))
            }
            #expect(
                (part.source == .service) == (part.failure == nil && part.source != .cache && part.receivedAt != nil))
        }
    }
}

struct DecisionCoreRandomTests {
    @Test(arguments: TestSeed.all(1...20))
    func `each call has one answer, in time, and nobody sees another person's decisions`(seed: TestSeed) throws {
        var world = try DecisionCoreWorld(seed)
        for _ in 0..<300 { try world.step() }
        #expect(world.answered > 20)
    }
}
