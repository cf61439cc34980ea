@testable import AppPlay
import PushDispatch
import Testing

@testable import apns

struct ScriptTallyTests {
    private func result(_ step: Int, ok: Bool = true) -> PlayResult {
        PlayResult(
            step: step, name: "fetch", outcome: ok ? PlayOutcome() : PlayOutcome(.init("consent", "it is pending")))
    }

    @Test func `without expectations a step that is not done counts`() {
        var tally = ScriptTally(expectations: nil)
        #expect(tally.end(isCut: false) == ScriptTally.End(nil, .done))
        #expect(tally.add(result(1)).isEmpty)
        #expect(tally.end(isCut: false) == ScriptTally.End(nil, .done))
        #expect(tally.add(result(2, ok: false)).isEmpty)
        #expect(tally.end(isCut: false) == ScriptTally.End("2 steps played, 1 not done.", .no))
        #expect(tally.end(isCut: true) == ScriptTally.End("Stopped: 2 steps played.", .failed))
    }

    @Test func `with expectations only the difference counts`() {
        let expected = [PlayExpectation(["ok": false]), PlayExpectation(["ok": true])]
        var tally = ScriptTally(expectations: expected)
        #expect(tally.add(result(1, ok: false)).isEmpty)
        #expect(tally.end(isCut: false) == ScriptTally.End("1 step played; 2 results are expected.", .no))
        #expect(tally.add(result(2)).isEmpty)
        #expect(tally.end(isCut: false) == ScriptTally.End("2 steps played, all as expected.", .done))
        #expect(tally.add(result(3)) == ["step 3 (fetch): no result is expected"])
        #expect(tally.end(isCut: false) == ScriptTally.End("3 steps played, 1 not as expected.", .no))
        var other = ScriptTally(expectations: expected)
        #expect(other.add(result(1)) == ["step 1 (fetch): /ok is true; false is expected"])
    }
}
