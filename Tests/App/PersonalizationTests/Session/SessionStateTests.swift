import EventDelivery
import PushDispatch
import Testing

@testable import Personalization

struct SessionStateTests {
    private func moment(_ seconds: Int64) -> DispatchMoment { DispatchMoment(milliseconds: seconds * 1_000) }

    private func foreground() -> SessionState {
        var session = SessionState(id: "a", maximumImpressions: 2, at: moment(0))
        let wasInBackground = session.becameActive()
        #expect(wasInBackground)
        return session
    }

    @Test func `a session ends after 600 seconds in the background, not before, and not in the foreground`() {
        var session = foreground()
        session.mark("x")
        session.renew(at: moment(10_000), timeout: 600_000) { "b" }
        #expect(session.id == "a")
        let wasActive = session.enteredBackground(at: moment(10_000))
        #expect(wasActive)
        session.renew(at: moment(10_599), timeout: 600_000) { "b" }
        #expect(session.id == "a" && session.impressions.check("x") == .isKnown)
        session.renew(at: moment(10_600), timeout: 600_000) { "b" }
        #expect(session.id == "b" && session.impressions.check("x") == .isNew)
        // The new one counts from its own start.
        session.renew(at: moment(11_199), timeout: 600_000) { "c" }
        #expect(session.id == "b")
    }

    @Test func `being active twice or leaving twice is one change`() {
        var session = foreground()
        let changes = [
            session.becameActive(), session.enteredBackground(at: moment(1)),
            session.enteredBackground(at: moment(500)),
        ]
        #expect(changes == [false, true, false])
        session.renew(at: moment(601), timeout: 600_000) { "b" }
        #expect(session.id == "b")
    }

    @Test func `the set of impressions is bounded and forgets nothing`() {
        var session = foreground()
        session.mark("x")
        session.mark("y")
        #expect(session.impressions.check("z") == .isFull)
        #expect(session.impressions.check("x") == .isKnown)
    }

    @Test(arguments: [(0, true), (599_999, true), (600_000, false), (-1, false)])
    func `a stored session lives as long, and not after the clock went back`(_ elapsed: Int64, _ isAlive: Bool) {
        let stored = StoredSession(id: "a", backgroundMilliseconds: 5_000, impressions: [])
        #expect(stored.isAlive(at: EventTime(milliseconds: 5_000 + elapsed), timeout: 600_000) == isAlive)
    }
}
