import Testing

@testable import PostgresQueue

struct LaneSearchTests {
    /// After a reservation of 50 jobs that looked through all and found fresh ones from `first` on.
    private static func after(
        first: Int64 = 5, count: Int = 50, duration: Duration = .milliseconds(2), at now: Duration = .seconds(10)
    ) -> LaneSearch {
        var search = LaneSearch()
        let ids = (0..<Int64(count)).map { first + $0 }
        search.found(ids.reversed(), count: count, of: 50, .all, duration: duration, at: now)
        return search
    }

    @Test func `the first reservation looks through all`() {
        #expect(LaneSearch().extent(at: .zero) == .all)
    }

    @Test func `where a reservation found all that was wanted, the next one begins at its first job`() {
        var search = Self.after()
        #expect(search.extent(at: .seconds(10)) == .from(5))
        search.found([8, 9], count: 50, of: 50, .from(5), duration: .milliseconds(1), at: .milliseconds(10_100))
        #expect(search.extent(at: .milliseconds(10_200)) == .from(8))
        // Without a fresh job the place stays.
        search.found([], count: 50, of: 50, .from(8), duration: .milliseconds(1), at: .milliseconds(10_300))
        #expect(search.extent(at: .milliseconds(10_400)) == .from(8))
    }

    @Test func `where jobs are few and looking is fast, each reservation looks through all`() {
        #expect(Self.after(count: 49).extent(at: .seconds(10)) == .all)
        var one = LaneSearch()
        one.found([5], count: 1, of: 1, .all, duration: .zero, at: .seconds(10))
        #expect(one.extent(at: .seconds(10)) == .all)
        #expect(Self.after(count: 0, duration: .milliseconds(51)).extent(at: .seconds(10)) == .from(.min))
    }

    @Test(arguments: [
        (Duration.milliseconds(2), Duration.seconds(1)), (.milliseconds(200), .seconds(2)), (.seconds(3), .seconds(4)),
    ])
    func `all is looked through again after a pause, longer where that is slow, and never more than four seconds`(
        duration: Duration, pause: Duration
    ) {
        let search = Self.after(duration: duration)
        #expect(search.extent(at: .seconds(10) + pause - .milliseconds(1)) == .from(5))
        #expect(search.extent(at: .seconds(10) + pause) == .all)
    }

    @Test func `while a reservation is full of jobs whose lease is over, the next one looks for more of them`() {
        var search = LaneSearch()
        search.found([200, 201], count: 50, of: 50, .all, duration: .seconds(1), at: .seconds(10))
        #expect(search.extent(at: .seconds(10)) == .all)
        search.found(Array(202...251), count: 50, of: 50, .all, duration: .seconds(1), at: .seconds(11))
        #expect(search.extent(at: .seconds(11)) == .from(202))
    }
}
