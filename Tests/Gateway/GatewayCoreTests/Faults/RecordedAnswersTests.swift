import APNSModel
import Testing

@testable import GatewayCore

/// Answers of a recording, given again.
struct RecordedAnswersTests {
    private static let key = RecordedAnswers.Key(
        token: Scenario.token, topic: Scenario.topic, pushType: "background")

    /// A world with recorded answers to the request of the scenario.
    private func running(_ outcomes: [Verdict.Outcome]) throws -> Running {
        var running = try Scenario().run()
        for outcome in outcomes { _ = running.world.start.answers.add(outcome, for: RecordedAnswersTests.key) }
        running.world.reset(real: 0)
        return running
    }

    /// Sends the request of the scenario once for each answer.
    private func verdicts(_ count: Int, _ running: inout Running) throws -> [Verdict] {
        var verdicts: [Verdict] = []
        for _ in 0..<count { verdicts.append(try running.send(Scenario()).verdict) }
        return verdicts
    }

    @Test func `answers come in the order of the recording, the last one repeats, and a reset begins again`() throws {
        let outcomes: [Verdict.Outcome] = [
            .refused(.tooManyRequests, timestamp: nil), .refused(.unregistered, timestamp: 1_700_000_000_000),
            .accepted,
        ]
        var running = try running(outcomes)
        for _ in 1...2 {
            let verdicts = try verdicts(5, &running)
            #expect(verdicts.map(\.outcome) == outcomes + [.accepted, .accepted])
            #expect(verdicts.allSatisfy { $0.rule == "recorded" && $0.why.contains("--answers") })
            running.world.reset(real: 0)
        }
    }

    @Test(arguments: [
        (String(repeating: "cd34", count: 16), Scenario.topic, "background"),
        (Scenario.token, "com.example.other", "background"), (Scenario.token, Scenario.topic, "alert"),
    ])
    func `a request to another device, or with another topic or push type, is judged`(
        token: String, topic: String, pushType: String
    ) throws {
        var running = try running([.refused(.tooManyRequests, timestamp: nil)])
        let other = Scenario().with {
            $0.head.path = "/3/device/" + token
            ($0.head.topic, $0.head.pushType) = (topic, pushType)
        }
        #expect(try running.send(other).verdict.rule != "recorded")
        let upper = Scenario().with { $0.head.path = "/3/device/" + Scenario.token.uppercased() }
        #expect(try running.send(upper).verdict.rule == "recorded")
    }

    @Test func `an acceptance is delivered where the checks have no objection`() throws {
        var running = try running([.accepted])
        let good = try running.send(Scenario())
        #expect(good.verdict.isAccepted && good.verdict.why.contains("every check passed"))
        let bad = try running.send(Scenario().with { $0.head.priority = "7" })
        #expect(bad.verdict.isAccepted && bad.verdict.why.contains("not delivered to a device"))
        let device = try running.world.device(Scenario().deviceToken, in: .sandbox)
        #expect(device?.waiting.count == 1)
    }

    @Test func `there is a limit`() {
        var answers = RecordedAnswers()
        for _ in 0..<RecordedAnswers.maximum { _ = answers.add(.accepted, for: RecordedAnswersTests.key) }
        let isAdded = answers.add(.accepted, for: RecordedAnswersTests.key)
        #expect(!isAdded)
        #expect(answers.count == RecordedAnswers.maximum)
    }
}
