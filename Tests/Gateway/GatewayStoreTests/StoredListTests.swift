import TestSeeds
import Testing

@testable import GatewayStore

struct StoredListTests {
    @Test func `items that stay keep their rows, and an added one gets the next number`() {
        var list = StoredList(items: ["a", "b", "c"], numbers: [3, 5, 9])
        let steps = list.become(["b", "c", "d"])
        #expect(steps.removed == [3])
        #expect(steps.added.map(\.number) == [10])
        #expect(steps.added.map(\.item) == ["d"])
        #expect(list.items == ["b", "c", "d"])
        #expect(list.numbers == [5, 9, 10])
    }

    @Test func `an empty list starts with number 0`() {
        var list = StoredList<String>()
        #expect(list.become(["a"]).added.map(\.number) == [0])
        #expect(list.become([]).removed == [0])
        #expect(list.become(["a"]).added.map(\.number) == [1])
    }

    @Test(arguments: TestSeed.all(1...20))
    func `after each step the rows in their order are the list`(seed: TestSeed) {
        var generator = seed.generator
        var list = StoredList<Int>()
        var rows: [Int: Int] = [:]
        for _ in 0..<50 {
            var next = list.items.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
            for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                next.append(Int.random(in: 0..<5, using: &generator))
            }
            if Int.random(in: 0..<5, using: &generator) == 0 { next.shuffle(using: &generator) }
            let steps = list.become(next)
            for number in steps.removed { rows[number] = nil }
            for (number, item) in steps.added { rows[number] = item }
            #expect(rows.sorted { $0.key < $1.key }.map(\.value) == next)
            #expect(list.items == next)
        }
    }
}
