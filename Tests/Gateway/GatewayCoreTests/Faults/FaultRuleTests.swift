import APNSModel
import TestSeeds
import Testing

@testable import GatewayCore

struct FaultRuleTests {
    /// A world with these rules.
    private func running(_ rules: FaultRule..., change: (inout Scenario) -> Void = { _ in }) throws -> Running {
        var scenario = Scenario()
        change(&scenario)
        var running = try scenario.run()
        for rule in rules { _ = try running.world.add(rule, real: 0) }
        return running
    }

    private static func other(_ token: String = "cafe") -> Scenario {
        Scenario().with { $0.head.path = "/3/device/" + token }
    }

    @Test func `the same seed and the same requests give the same hits and delays`() throws {
        func actions(seed: UInt64) throws -> [FaultAction?] {
            var running = try running(
                FaultRule(.reset(code: 7, .before), probability: 0.3),
                FaultRule(.delay(.uniform(1...1000)), probability: 0.5)
            ) { $0.settings.seed = seed }
            return try (0..<300).map { _ in try running.send(Scenario()).fault }
        }
        let first = try actions(seed: 1)
        #expect(try actions(seed: 1) == first)
        #expect(try actions(seed: 2) != first)
        let resets = first.count { $0 == .reset(code: 7) }
        #expect((50...130).contains(resets))
        #expect(first.contains(nil))
    }

    @Test func `rules leave the ids of a world as they are`() throws {
        var plain = try running()
        var faulty = try running(FaultRule(.delay(.uniform(1...9)), probability: 0.5))
        for _ in 0..<20 {
            let ids = (try plain.send(Scenario()).verdict.uniqueID, try faulty.send(Scenario()).verdict.uniqueID)
            #expect(ids.0 == ids.1)
        }
    }

    @Test(
        arguments: [
            (FaultRule.Match(), true), (.init(token: DeviceToken(Scenario.token.uppercased())), true),
            (.init(token: DeviceToken("cafe")), false), (.init(topic: Scenario.topic), true),
            (.init(topic: "com.example"), false), (.init(pushType: "background"), true),
            (.init(pushType: "alert"), false), (.init(topic: Scenario.topic, pushType: "alert"), false),
            (.init(app: Scenario.topic), true), (.init(app: "com.example"), false),
            (.init(headers: [HeaderCondition(.id, .present)]), true),
            (.init(headers: [HeaderCondition(.expiration, .present)]), false),
            (.init(headers: [HeaderCondition(.expiration, .absent), HeaderCondition(.authorization, .present)]), true),
            (.init(headers: [HeaderCondition(.priority, .value("5"))]), true),
            (.init(headers: [HeaderCondition(.priority, .value("10"))]), false),
        ] as [(FaultRule.Match, Bool)])
    func `a rule is for the requests that match`(match: FaultRule.Match, isHit: Bool) throws {
        var running = try running(FaultRule(.silence(.before), match: match))
        let fault = try running.send(Scenario()).fault
        #expect(fault == (isHit ? .silence : nil))
    }

    @Test func `a rule for an app is for all of its topics, whatever their suffix`() throws {
        let scenario = Scenario().with {
            $0.head.topic = Scenario.topic + ".voip"
            $0.head.pushType = "voip"
        }
        var running = try running(FaultRule(.silence(.before), match: .init(app: Scenario.topic)))
        #expect(try running.send(scenario).fault == .silence)
    }

    @Test func `a topic that only the certificate names matches too`() throws {
        let scenario = Scenario().with {
            $0.certificate = ClientCertificate(environments: [.sandbox], uid: Scenario.topic)
            $0.hasAuthorization = false
            $0.head.topic = nil
        }
        var running = try scenario.run()
        _ = try running.world.add(FaultRule(.silence(.before), match: .init(topic: Scenario.topic)), real: 0)
        #expect(try running.send(scenario).fault == .silence)
    }

    @Test func `the first rule that matches wins, and what it spares goes to the next`() throws {
        var first = try running(FaultRule(.reset(code: 1, .before)), FaultRule(.reset(code: 2, .before)))
        #expect(try first.send(Scenario()).fault == .reset(code: 1))
        var spared = try running(
            FaultRule(.reset(code: 1, .before), probability: 0), FaultRule(.reset(code: 2, .before)))
        #expect(try spared.send(Scenario()).fault == .reset(code: 2))
    }

    @Test func `a rule goes when it is used up, and shows until then what is left`() throws {
        var running = try running(FaultRule(.silence(.before), count: 2), FaultRule(.reset(code: 2, .before)))
        try running.send(Scenario())
        let left = running.world.activeFaults(real: 0)
        #expect(left.map(\.used) == [1, 0])
        #expect(left.map(\.remaining) == [1, nil])
        try running.send(Scenario())
        #expect(running.world.faults.active.map(\.id) == ["2"])
        #expect(try running.send(Scenario()).fault == .reset(code: 2))
    }

    @Test func `a rule goes when its time is over by the world's clock`() throws {
        var running = try running(FaultRule(.silence(.before), until: Scenario.start + 1000))
        running.advance(milliseconds: 999)
        #expect(try running.send(Scenario()).fault == .silence)
        running.advance(milliseconds: 1)
        #expect(running.world.activeFaults(real: 0).isEmpty)
        #expect(try running.send(Scenario()).fault == nil)
        #expect(running.world.faults.isEmpty)
        #expect(throws: RegistrationError.self) {
            try running.world.add(FaultRule(.silence(.before), until: Scenario.start + 1000), real: 0)
        }
    }

    @Test func `there are only so many rules, and those that are over do not count`() throws {
        var running = try running(
            FaultRule(.silence(.before), until: Scenario.start + 1), FaultRule(.silence(.before))
        ) { $0.settings.maximumFaults = 2 }
        #expect(throws: RegistrationError.full("fault rules", 2)) {
            try running.world.add(FaultRule(.silence(.before)), real: 0)
        }
        running.advance(milliseconds: 1)
        #expect(try running.world.add(FaultRule(.silence(.before)), real: 0).id == "3")
    }

    @Test func `a rule is removed by its id, which comes back only with a reset`() throws {
        var running = try running(FaultRule(.silence(.before)), FaultRule(.silence(.before)))
        let removed = [running.world.removeFault("1"), running.world.removeFault("1")]
        #expect(removed.map { $0?.id } == ["1", nil])
        #expect(running.world.activeFaults(real: 0).map(\.id) == ["2"])
        #expect(running.world.removeFaults().map(\.id) == ["2"])
        #expect(try running.world.add(FaultRule(.silence(.before)), real: 0).id == "3")
        running.world.reset(real: 0)
        #expect(running.world.activeFaults(real: 0).isEmpty)
        #expect(try running.world.add(FaultRule(.silence(.before)), real: 0).id == "1")
    }

    @Test(
        arguments: [
            (.silence(.before), .silence), (.reset(code: 8, .before), .reset(code: 8)),
            (.disconnect(.before), .disconnect(isReset: false)), (.halfOpen(.before), .halfOpen),
            (.disconnect(.before, isReset: true), .disconnect(isReset: true)),
        ] as [(FaultEffect, FaultAction)])
    func `what is hit before it is judged is neither accepted nor delivered`(
        effect: FaultEffect, action: FaultAction
    ) throws {
        var running = try running(FaultRule(effect))
        let judgement = try running.send(Scenario())
        #expect(judgement.fault == action)
        #expect(judgement.response == nil)
        #expect(judgement.events.isEmpty)
        #expect(judgement.streamLimit == nil)
        let entry = try #require(running.world.notification(judgement.sequence))
        #expect(entry.verdict.outcome == .unprocessed)
        #expect(entry.verdict.rule == "fault")
        #expect(entry.fault == FaultNote(id: "1", why: entry.verdict.why))
        #expect(entry.life.map(\.stage) == [.dropped])
        #expect(entry.token == Scenario.token)
        #expect(entry.topic == Scenario.topic)
        var query = NotificationQuery()
        query.outcome = .unprocessed
        #expect(running.world.notifications(query).total == 1)
        query.outcome = .refused
        #expect(running.world.notifications(query).total == 0)
    }

    @Test(
        arguments: [
            (.silence(.after), .silence), (.reset(code: 8, .after), .reset(code: 8)),
            (.disconnect(.after), .disconnect(isReset: false)), (.halfOpen(.after), .halfOpen),
            (.disconnect(.after, isReset: true), .disconnect(isReset: true)), (.delay(.never), .silence),
            (.slowBody(.fixed(40)), .slowBody(from: Scenario.start, until: Scenario.start + 40)),
            (.slowBody(.never), .slowBody(from: Scenario.start, until: nil)), (.slowBody(.fixed(0)), nil),
            (
                .window(WindowFault(bytes: 0, time: .fixed(40))),
                .window(WindowOrder(bytes: 0, until: Scenario.start + 40, faultID: "1"))
            ),
            (.window(WindowFault(bytes: 9)), .window(WindowOrder(bytes: 9, until: nil, faultID: "1"))),
            (.delay(.fixed(40)), .hold(until: Scenario.start + 40)), (.delay(.fixed(0)), nil),
        ] as [(FaultEffect, FaultAction?)])
    func `what is hit after it was judged is accepted and stored`(effect: FaultEffect, action: FaultAction?) throws {
        var running = try running(FaultRule(effect, count: 1))
        let judgement = try running.send(Scenario())
        #expect(judgement.fault == action)
        #expect(judgement.response?.status == 200)
        #expect(judgement.streamLimit == 1000)
        let entry = try #require(running.world.notification(judgement.sequence))
        #expect(entry.verdict.isAccepted)
        #expect(entry.fault?.id == "1")
        #expect(entry.life.map(\.stage) == [.accepted, .stored])
        let next = try running.send(Scenario())
        #expect(running.world.notification(next.sequence)?.fault == nil)
    }

    @Test(arguments: [(429, nil), (410, Scenario.start)] as [(Int, Int64?)])
    func `a refusal replaces the verdict`(status: Int, timestamp: Int64?) throws {
        var running = try running(FaultRule(.refuse(Reason("Whatever", status))))
        let judgement = try running.send(Scenario())
        #expect(judgement.verdict.outcome == .refused(Reason("Whatever", status), timestamp: timestamp))
        #expect(judgement.verdict.rule == "fault")
        #expect(judgement.response?.status == status)
        #expect(judgement.fault == nil)
        #expect(judgement.streamLimit == nil, "nothing was proven")
        #expect(judgement.events.isEmpty)
    }

    @Test func `the stream limit of a rule holds until another rule changes it`() throws {
        var running = try running(
            FaultRule(.maximumConcurrentStreams(5), count: 2),
            FaultRule(.maximumConcurrentStreams(9), match: .init(token: DeviceToken("cafe"))))
        #expect(try running.send(Scenario()).streamLimit == 5)
        #expect(try running.send(Scenario()).streamLimit == nil)
        #expect(try running.send(Scenario()).verdict.isAccepted)
        #expect(running.connection.streamLimit == 5)
        #expect(try running.send(Self.other()).streamLimit == 9)
    }

    @Test func `a goaway says this, the previous or all streams`() throws {
        func order(_ fault: GoAwayFault) throws -> (GoAwayOrder?, Judgement, Running) {
            var running = try running(FaultRule(.goAway(fault), match: .init(token: DeviceToken(Scenario.token))))
            for _ in 0..<2 { try running.send(Self.other()) }
            let judgement = try running.send(Scenario())
            guard case .goAway(let order) = judgement.fault else { return (nil, judgement, running) }
            return (order, judgement, running)
        }
        let (this, judged, first) = try order(GoAwayFault())
        #expect(this?.lastStreams == [5])
        #expect(this?.closing == .whenDone)
        #expect(String(decoding: this?.debugData ?? [], as: UTF8.self) == #"{"reason":"Shutdown"}"#)
        #expect(judged.verdict.isAccepted)
        #expect(first.connection.accepts(5) && !first.connection.accepts(7))

        let (previous, skipped, second) = try order(GoAwayFault(lastStream: .previous))
        #expect(previous?.lastStreams == [3])
        #expect(skipped.verdict.outcome == .unprocessed)
        #expect(!second.connection.accepts(5))

        let (all, accepted, third) = try order(GoAwayFault(lastStream: .all, closing: .never, code: 7))
        #expect(all?.lastStreams == [.max])
        #expect(all?.closing == .never)
        #expect(all?.code == 7)
        #expect(accepted.verdict.isAccepted)
        #expect(third.connection.accepts(7))

        let (twice, _, _) = try order(GoAwayFault(isTwice: true))
        #expect(twice?.lastStreams == [.max, 5])
    }

    @Test func `an abrupt goaway leaves what it judged without an answer, and ends the connection`() throws {
        var running = try running(FaultRule(.goAway(GoAwayFault(closing: .now))))
        let judgement = try running.send(Scenario())
        #expect(judgement.verdict.isAccepted)
        #expect(!running.connection.accepts(1))
        #expect(running.world.counts.unanswered == 1)
    }

    @Test func `no last stream is below a request that was judged, and none above the last one said`() throws {
        var running = try running()
        running.stream = 9
        try running.send(Scenario())
        for (lastStream, frames) in [(.this, [9]), (.previous, []), (.all, [])] as [(GoAwayFault.LastStream, [Int32])] {
            _ = try running.world.add(FaultRule(.goAway(GoAwayFault(lastStream: lastStream)), count: 1), real: 0)
            running.stream = 3
            let judgement = try running.send(Scenario())
            guard case .goAway(let order) = judgement.fault else {
                Issue.record("no GOAWAY")
                return
            }
            #expect(order.lastStreams == frames)
            #expect(!running.connection.accepts(11))
        }
    }

    @Test func `a connection that was cut judges nothing more`() throws {
        var running = try running(FaultRule(.disconnect(.after)))
        try running.send(Scenario())
        #expect(!running.connection.accepts(1))
    }

    @Test(arguments: TestSeed.all([3]))
    func `delays follow their distribution`(seed: TestSeed) {
        var generator = SeededGenerator(seed: seed.value)
        #expect(FaultDelay.fixed(7).milliseconds(using: &generator) == 7)
        #expect(FaultDelay.never.milliseconds(using: &generator) == nil)
        let uniform = (0..<1000).compactMap { _ in FaultDelay.uniform(10...20).milliseconds(using: &generator) }
        #expect(Set(uniform) == Set(10...20))
        let normal = (0..<10_000).compactMap { _ in
            FaultDelay.logNormal(median: 4000, sigma: 0.8).milliseconds(using: &generator)
        }.sorted()
        #expect((3800...4200).contains(normal[5000]), "half lie below the median")
        #expect((8500...9400).contains(normal[8413]), "one sigma above it is e^0.8 times as long")
        #expect((1690...1910).contains(normal[1587]), "one sigma below it")
        let wild = (0..<1000).compactMap { _ in
            FaultDelay.logNormal(median: FaultDelay.range.upperBound, sigma: 5).milliseconds(using: &generator)
        }
        #expect(wild.allSatisfy { FaultDelay.range.contains($0) })
    }
}
