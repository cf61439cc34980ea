import Dispatch
import Foundation

/// Does parts of work on several threads at once, and hands over the results in the order of the parts.
///
/// A thread that is ahead of others leaves its results and goes on, so that one slow part, or a slow core, stops none. The
/// parts and results that exist at a time are bounded: `resultsAhead` for each thread.
enum OrderedWork {
    static let resultsAhead = 4

    /// How many threads can run at the same time.
    static var threadCount: Int { max(ProcessInfo.processInfo.activeProcessorCount, 1) }

    /// - Parameters:
    ///   - next: The next part; nil at the end. Called by one thread at a time.
    ///   - perform: Does a part. Called by all threads, with the worker of the thread.
    ///   - take: Takes the next result in order. Called by one thread at a time, perhaps during `next`.
    static func run<Worker, Part, Result>(
        threads: Int, worker: () -> Worker, next: @escaping () -> Part?, perform: @escaping (Worker, Part) -> Result,
        take: @escaping (Result) -> Void
    ) {
        guard threads > 1 else {
            let worker = worker()
            while let part = next() { take(perform(worker, part)) }
            return
        }
        let workers = (0..<threads).map { _ in worker() }
        let shared = Shared(workers: workers, next: next, perform: perform, take: take)
        DispatchQueue.concurrentPerform(iterations: threads) { shared.run($0) }
    }

    /// `@unchecked Sendable`: `next` and `count` are used with `input` locked, `take`, `turn` and `waiting` with `output` locked,
    /// and each thread uses its own worker.
    private final class Shared<Worker, Part, Result>: @unchecked Sendable {
        private let workers: [Worker]
        private let next: () -> Part?
        private let perform: (Worker, Part) -> Result
        private let take: (Result) -> Void
        private let input = NSLock()
        private var count = 0
        private let output = NSCondition()
        private var turn = 0
        /// The results that are waiting for their turn, by the number of the part.
        private var waiting: [Int: Result] = [:]

        init(
            workers: [Worker], next: @escaping () -> Part?, perform: @escaping (Worker, Part) -> Result,
            take: @escaping (Result) -> Void
        ) {
            self.workers = workers
            self.next = next
            self.perform = perform
            self.take = take
        }

        func run(_ thread: Int) {
            while let (number, part) = nextPart() {
                let result = perform(workers[thread], part)
                output.lock()
                waiting[number] = result
                let first = turn
                while let next = waiting.removeValue(forKey: turn) {
                    take(next)
                    turn += 1
                }
                if turn > first { output.broadcast() }
                while number - turn >= workers.count * OrderedWork.resultsAhead { output.wait() }
                output.unlock()
            }
        }

        private func nextPart() -> (Int, Part)? {
            input.lock()
            defer { input.unlock() }
            guard let part = next() else { return nil }
            defer { count += 1 }
            return (count, part)
        }
    }
}
