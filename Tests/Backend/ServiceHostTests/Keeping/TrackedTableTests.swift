import ServiceHost
import Testing

struct TrackedTableTests {
    @Test func `the keys of changed values are taken once, in order`() {
        var table = TrackedTable<Int>()
        table["a"] = 1
        #expect(table.takeChanges() == [], "nobody took them yet")
        table.track(.new)
        table["c"] = 3
        table["b"] = 2
        table["a"] = nil
        #expect(table.takeChanges() == ["a", "b", "c"])
        #expect(table.takeChanges() == [])
        #expect(table.values == ["b": 2, "c": 3])
    }

    @Test func `everything that is there counts as changed where that is wanted`() {
        var table = TrackedTable<Int>()
        table["b"] = 2
        table["a"] = 1
        table.track(.all)
        #expect(table.takeChanges() == ["a", "b"])
        table.track(.off)
        table["a"] = 5
        #expect(table.takeChanges() == [])
    }
}
