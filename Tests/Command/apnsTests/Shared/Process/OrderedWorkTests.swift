import Synchronization
import Testing

@testable import apns

struct OrderedWorkTests {
    @Test(arguments: [1, 2, 5]) func `results are taken in the order of the parts, each once`(threads: Int) {
        var next = 0
        var taken: [Int] = []
        let waiting = Atomic(0)
        let most = Atomic(0)
        OrderedWork.run(
            threads: threads, worker: { 0 },
            next: { () -> Int? in
                guard next < 500 else { return nil }
                defer { next += 1 }
                let count = waiting.add(1, ordering: .relaxed).newValue
                if count > most.load(ordering: .relaxed) { most.store(count, ordering: .relaxed) }
                return next
            },
            perform: { _, part in
                // Later parts are done sooner than earlier ones.
                (0..<(500 - part) * 20).reduce(part) { $0 ^ $1 ^ $1 }
            },
            take: { result in
                waiting.subtract(1, ordering: .relaxed)
                taken.append(result)
            })
        #expect(taken == Array(0..<500))
        #expect(most.load(ordering: .relaxed) <= (threads == 1 ? 1 : threads * (OrderedWork.resultsAhead + 1)))
    }

    @Test func `each thread has a worker of its own`() {
        final class Worker { var parts = 0 }
        var workers: [Worker] = []
        var next = 0
        OrderedWork.run(
            threads: 3,
            worker: {
                workers.append(Worker())
                return workers[workers.count - 1]
            },
            next: { () -> Int? in
                next += 1
                return next <= 100 ? next : nil
            },
            perform: { worker, part in
                worker.parts += 1
                return part
            }, take: { _ in })
        #expect(workers.count == 3)
        #expect(workers.map(\.parts).reduce(0, +) == 100)
    }
}
