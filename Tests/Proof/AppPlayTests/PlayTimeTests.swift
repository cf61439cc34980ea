import Testing

@testable import AppPlay

struct PlayTimeTests {
    @Test func `virtual time runs with real time while a request is under way, and stands still otherwise`() {
        var time = PlayTime()
        #expect(time.now(real: 5_000) == 0 && !time.isRunning)
        time.requestBegan(real: 5_000)
        #expect(time.now(real: 5_030) == 30 && time.isRunning)
        time.requestBegan(real: 5_040)
        time.requestEnded(real: 5_050)
        #expect(time.now(real: 5_060) == 60)
        time.requestEnded(real: 5_070)
        #expect(time.now(real: 9_000) == 70 && time.requestsUnderWay == 0)
        time.requestBegan(real: 9_000)
        #expect(time.now(real: 9_001) == 71)
    }

    @Test func `moving it stops at the next sleeper, and at the end`() {
        var time = PlayTime()
        let (late, early) = (time.sleep(until: 30, real: 0), time.sleep(until: 20, real: 0))
        time.move(upTo: 100)
        #expect(time.now(real: 0) == 20)
        var due = time.takeDue(real: 0)
        #expect(due == [early])
        time.move(upTo: 100)
        #expect(time.now(real: 0) == 30)
        due = time.takeDue(real: 0)
        #expect(due == [late])
        time.move(upTo: 100)
        #expect(time.now(real: 0) == 100)
        due = time.takeDue(real: 0)
        #expect(due.isEmpty)
        time.move(upTo: 50)
        #expect(time.now(real: 0) == 100)
    }

    @Test func `a moment that has come is not waited for, and one that was cancelled is not due`() throws {
        var time = PlayTime()
        let past = time.sleep(until: 0, real: 0)
        #expect(past == nil)
        let number = time.sleep(until: 10, real: 0)
        let sleeper = try #require(number)
        let (first, second) = (time.wake(sleeper), time.wake(sleeper))
        #expect(first && !second)
        time.move(upTo: 20)
        let due = time.takeDue(real: 0)
        #expect(time.now(real: 0) == 20 && due.isEmpty)
    }

    @Test func `while it runs the real time of the next event is known, and it cannot be moved`() {
        var time = PlayTime()
        #expect(time.nextDue(orAt: 50) == nil)
        time.requestBegan(real: 1_000)
        #expect(time.nextDue(orAt: nil) == nil && time.nextDue(orAt: 50) == 1_050)
        _ = time.sleep(until: 40, real: 1_000)
        #expect(time.nextDue(orAt: nil) == 1_040 && time.nextDue(orAt: 50) == 1_040)
        time.move(upTo: 500)
        #expect(time.now(real: 1_000) == 0)
    }
}
