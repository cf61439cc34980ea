import PushDispatch
import ServiceHost
import Testing

struct PathFaultsTests {
    enum Path: String, FaultPath { case events, decisions }

    private func fault(_ json: JSONValue) throws -> PathFault<Path> { try PathFault(json: json) }

    @Test func `the first rule for a path applies, as often as it says`() {
        var faults = PathFaults<Path>(seed: 1)
        #expect(faults.add(PathFault(.status(503), path: .events, count: 2)) == "fault-1")
        #expect(faults.add(PathFault(.silence)) == "fault-2")
        #expect(faults.hit(.decisions) == .silence)
        #expect(faults.hit(.events) == .status(503))
        #expect(faults.rules.first?.fault.count == 1)
        #expect(faults.hit(.events) == .status(503))
        #expect(faults.rules.map(\.id) == ["fault-2"])
        #expect(faults.hit(.events) == .silence)
        #expect(faults.remove("fault-2") && !faults.remove("fault-2"))
        #expect(faults.hit(.events) == nil)
    }

    @Test func `only rules that count or draw change with use`() {
        var faults = PathFaults<Path>(seed: 1)
        #expect(!faults.changeWithUse)
        _ = faults.add(PathFault(.silence))
        let before = faults
        #expect(faults.hit(.events) == .silence)
        #expect(faults == before && !faults.changeWithUse)
        _ = faults.add(PathFault(.silence, probability: 0.5))
        #expect(faults.changeWithUse)
        faults.removeAll()
        _ = faults.add(PathFault(.silence, count: 2))
        #expect(faults.changeWithUse)
    }

    @Test func `an id is not used again, and there are at most 100 rules`() {
        var faults = PathFaults<Path>(seed: 1)
        for _ in 0..<100 { #expect(faults.add(PathFault(.loseAnswer)) != nil) }
        #expect(faults.add(PathFault(.loseAnswer)) == nil)
        faults.removeAll()
        #expect(faults.add(PathFault(.loseAnswer)) == "fault-101")
    }

    @Test func `a probability of 0 never applies, and one half about every second time, alike for one seed`() {
        var none = PathFaults<Path>(seed: 1)
        _ = none.add(PathFault(.silence, probability: 0))
        #expect((0..<1_000).allSatisfy { _ in none.hit(.events) == nil })
        func hits(_ seed: UInt64) -> [Bool] {
            var half = PathFaults<Path>(seed: seed)
            _ = half.add(PathFault(.silence, probability: 0.5))
            return (0..<1_000).map { _ in half.hit(.events) != nil }
        }
        #expect((400...600).contains(hits(7).count { $0 }))
        #expect(hits(7) == hits(7) && hits(7) != hits(8))
    }

    @Test(arguments: [
        (#"{"effect":{"status":503}}"#, PathFault<PathFaultsTests.Path>(.status(503))),
        (#"{"effect":{"status":429,"retry-after":"5s"},"count":2}"#, PathFault(.status(429, pause: 5_000), count: 2)),
        (#"{"match":{"path":"events"},"effect":{"delay":"2s"}}"#, PathFault(.delay(2_000), path: .events)),
        (#"{"effect":{"lose-answer":true},"probability":0.5}"#, PathFault(.loseAnswer, probability: 0.5)),
        (#"{"effect":{"silence":true}}"#, PathFault(.silence)),
    ])
    func `a rule is read from JSON and written as it was`(text: String, rule: PathFault<PathFaultsTests.Path>) throws {
        let json = try JSONReader.read(
            Array(text.utf8), limits: JSONLimits(maximumBytes: 10_000, maximumDepth: 8, maximumValues: 100))
        #expect(try fault(json) == rule)
        var faults = PathFaults<Path>(seed: 1)
        _ = faults.add(rule)
        var written = try #require(faults.rules.first?.json.object)
        #expect(written.removeValue(forKey: "id") == "fault-1")
        #expect(try fault(.object(written)) == rule)
    }

    @Test(arguments: [
        (#"{}"#, "effect is missing"), (#"{"effect":{}}"#, "one key of"),
        (#"{"effect":{"status":503,"silence":true}}"#, "one key of"), (#"{"effect":{"status":200}}"#, "400 to 599"),
        (#"{"effect":{"delay":"2h"}}"#, "0s to 1h"), (#"{"effect":{"silence":false}}"#, "takes true"),
        (#"{"effect":{"delay":"1s","retry-after":"1s"}}"#, "only for a status"),
        (#"{"effect":{"silence":true},"count":0}"#, "from 1"),
        (#"{"effect":{"silence":true},"probability":2}"#, "0.0 to 1.0"),
        (#"{"effect":{"silence":true},"match":{"path":"evnets"}}"#, "events, decisions"),
        (#"{"effect":{"silence":true},"cuont":1}"#, #""cuont""#), (#"[]"#, "an array"),
    ])
    func `a wrong rule is refused with what is wanted`(text: String, words: String) throws {
        let json = try JSONReader.read(
            Array(text.utf8), limits: JSONLimits(maximumBytes: 10_000, maximumDepth: 8, maximumValues: 100))
        let problem = #expect(throws: ControlProblem.self) { try fault(json) }
        #expect(problem?.detail.contains(words) == true, "\(problem?.detail ?? "")")
    }
}
