import TestSeeds
import Testing

@testable import GatewayCore

struct HeapTests {
    @Test(arguments: TestSeed.all(1...10))
    func `elements come out in order, whatever the order in which they went in`(seed: TestSeed) {
        var generator = seed.generator
        let start = (0..<50).map { _ in Int.random(in: 0..<100, using: &generator) }
        var heap = Heap(start)
        var expected = start.sorted()
        for _ in 0..<500 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: #expect(heap.removeFirst() == (expected.isEmpty ? nil : expected.removeFirst()))
            case 1 where Int.random(in: 0..<20, using: &generator) == 0:
                heap.removeAll { $0.isMultiple(of: 3) }
                expected.removeAll { $0.isMultiple(of: 3) }
            default:
                let element = Int.random(in: 0..<100, using: &generator)
                heap.insert(element)
                expected.append(element)
                expected.sort()
            }
            expected.sort()
            #expect(heap.first == expected.first)
            #expect(heap.count == expected.count)
        }
        var rest: [Int] = []
        while let next = heap.removeFirst() { rest.append(next) }
        #expect(rest == expected)
    }
}
