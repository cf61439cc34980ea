import ServiceHost
import Testing

struct BoundedLogTests {
    @Test func `above the limit the oldest entry is dropped, and numbers go on`() {
        var log = BoundedLog<String>(limit: 2)
        #expect(log.append("a") == (0, nil))
        #expect(log.append("b") == (1, nil))
        #expect(log.append("c") == (2, "a"))
        #expect(Array(log.entries) == ["b", "c"])
        #expect(log.dropped == 1 && log.count == 2 && log.nextNumber == 3)
        #expect(log[0] == nil && log[1] == "b" && log[2] == "c" && log[3] == nil)
    }

    @Test func `a limit below one is one`() {
        var log = BoundedLog<Int>(limit: 0)
        log.append(1)
        log.append(2)
        #expect(Array(log.entries) == [2])
    }

    @Test func `a lower limit drops the oldest, in order`() {
        var log = BoundedLog<Int>(limit: 5)
        for number in 0..<5 { log.append(number) }
        #expect(log.lower(to: 2) == [0, 1, 2])
        #expect(log.append(5).dropped == 3)
        #expect(log.lower(to: 9) == [])
    }

    @Test func `an entry is changed by its number, a dropped one is not`() {
        var log = BoundedLog<Int>(limit: 2)
        for number in 0..<3 { log.append(number) }
        log.change(0) { $0 = 100 }
        log.change(2) { $0 = 200 }
        log.change(3) { $0 = 300 }
        #expect(Array(log.entries) == [1, 200])
    }

    @Test func `changes are noted from the moment on that somebody takes them`() {
        var log = BoundedLog<Int>(limit: 2)
        log.append(0)
        #expect(log.takeChanges() == [])
        log.track(.new)
        log.append(1)
        log.append(2)
        log.change(1) { $0 = 10 }
        #expect(log.takeChanges() == [1, 2])
        #expect(log.takeChanges() == [])
        log.track(.all)
        #expect(log.takeChanges() == [1, 2])
        log.append(3)
        log.append(4)
        log.append(5)
        #expect(log.takeChanges() == [4, 5], "3 is dropped already")
        log.track(.off)
        log.append(6)
        #expect(log.takeChanges() == [])
    }

    @Test func `an empty log goes on after dropped entries`() {
        var log = BoundedLog<Int>(limit: 2, dropped: 7)
        #expect(log.append(1).number == 7)
        #expect(log[7] == 1)
    }

    @Test func `a long log keeps what it has, in memory for a bounded number of entries`() {
        var log = BoundedLog<Int>(limit: 3)
        for number in 0..<10_000 { log.append(number) }
        #expect(Array(log.entries) == [9_997, 9_998, 9_999])
        #expect(log.entries.endIndex < 2_100)
    }

    @Test func `the oldest id is forgotten above the limit, and may come again`() {
        var ids = RecentIDs(limit: 2)
        let added = ["a", "b", "a", "c"].map { ids.insert($0) }
        #expect(added == [true, true, false, true])
        #expect(!ids.contains("a") && ids.contains("b") && ids.forgotten == 1)
        let isAddedAgain = ids.insert("a")
        #expect(isAddedAgain)
    }
}
