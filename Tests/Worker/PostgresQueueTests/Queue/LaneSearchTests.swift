import Testing

@testable import PostgresQueue

struct LaneSearchTests {
    private static func after(
        _ ids: [Int64], isFull: Bool, duration: Duration = .milliseconds(2), at now: Duration = .seconds(10)
    ) -> LaneSearch {
        var search = LaneSearch(shortDuration: .milliseconds(50))
        search.found(ids, count: isFull ? 50 : 49, of: 50, .all, duration: duration, at: now)
        return search
    }

    @Test func `the first reservation looks through all`() {
        #expect(LaneSearch(shortDuration: .milliseconds(50)).extent(at: .zero) == .all)
    }

    @Test func `where a reservation found all that was wanted, the next one begins at its first job`() {
        var search = Self.after([7, 5, 6], isFull: true)
        #expect(search.extent(at: .seconds(10)) == .from(5))
        search.found([8, 9], count: 50, of: 50, .from(5), duration: .milliseconds(1), at: .milliseconds(10_100))
        #expect(search.extent(at: .milliseconds(10_200)) == .from(8))
        // Without a fresh job the place stays.
        search.found([], count: 50, of: 50, .from(8), duration: .milliseconds(1), at: .milliseconds(10_300))
        #expect(search.extent(at: .milliseconds(10_400)) == .from(8))
    }

    @Test func `where jobs are few and looking is fast, each reservation looks through all`() {
        #expect(Self.after([5], isFull: false).extent(at: .seconds(10)) == .all)
        var one = LaneSearch(shortDuration: .milliseconds(50))
        one.found([5], count: 1, of: 1, .all, duration: .zero, at: .seconds(10))
        #expect(one.extent(at: .seconds(10)) == .all)
        #expect(Self.after([], isFull: false, duration: .milliseconds(51)).extent(at: .seconds(10)) == .from(.min))
    }

    @Test(arguments: [
        (Duration.milliseconds(2), Duration.seconds(1)), (.milliseconds(200), .seconds(2)), (.seconds(3), .seconds(4)),
    ])
    func `all is looked through again after a pause, longer where that is slow, and never more than four seconds`(
        duration: Duration, pause: Duration
    ) {
        let search = Self.after([5], isFull: true, duration: duration)
        #expect(search.extent(at: .seconds(10) + pause - .milliseconds(1)) == .from(5))
        #expect(search.extent(at: .seconds(10) + pause) == .all)
    }
}
