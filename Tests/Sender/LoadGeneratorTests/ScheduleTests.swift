import Testing

@testable import LoadGenerator

struct ScheduleTests {
    @Test func `with a rate the due times do not depend on the time`() {
        var schedule = Schedule(rate: 4, limit: .count(3), warmUp: 0)
        var dues: [Duration?] = []
        while let slot = schedule.next(at: .seconds(1000)) { dues.append(slot.due) }
        #expect(dues == [.zero, .milliseconds(250), .milliseconds(500)])
    }

    @Test func `without a rate nothing has a due time`() {
        var schedule = Schedule(rate: nil, limit: .count(1), warmUp: 0)
        let slot = schedule.next(at: .zero)
        #expect(slot == Schedule.Slot(index: 0, due: nil))
        #expect(schedule.due(7) == nil)
    }

    @Test func `due times do not drift at a rate that does not divide a second`() {
        let schedule = Schedule(rate: 3, limit: .count(1), warmUp: 0)
        #expect(schedule.due(3_000_000_000) == .seconds(1_000_000_000))
    }

    @Test func `a count does not include the warm-up`() {
        var schedule = Schedule(rate: nil, limit: .count(3), warmUp: 2)
        var indices: [Int] = []
        while let slot = schedule.next(at: .zero) { indices.append(slot.index) }
        #expect(indices == [0, 1, 2, 3, 4])
        #expect(schedule.total == 5)
    }

    @Test func `without a rate a duration starts after the warm-up`() {
        var schedule = Schedule(rate: nil, limit: .duration(.seconds(10)), warmUp: 1)
        // The warm-up, handed out at 50 s, does not count; the ten seconds begin at 60 s.
        let times: [Duration] = [.seconds(50), .seconds(60), .milliseconds(69_999), .seconds(70)]
        let indices = times.map { schedule.next(at: $0)?.index }
        #expect(indices == [0, 1, 2, nil])
        #expect(schedule.total == nil)
    }

    @Test func `with a rate a duration has as many notifications as are due in it, even if the run is late`() {
        var schedule = Schedule(rate: 10, limit: .duration(.milliseconds(500)), warmUp: 2)
        let slots = (0..<20).compactMap { _ in schedule.next(at: .seconds(1000)) }
        #expect(slots.count == 2 + 5)
        #expect(schedule.total == 2 + 5)
    }
}
