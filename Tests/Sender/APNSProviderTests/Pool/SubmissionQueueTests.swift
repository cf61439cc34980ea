import APNSModel
import TestSeeds
import Testing

@testable import APNSProvider

struct SubmissionQueueTests {
    @Test(arguments: TestSeed.all(1...20))
    func `submissions come out in order, without those that were removed`(seed: TestSeed) {
        var generator = seed.generator
        var queue = SubmissionQueue()
        var expected: [Submission] = []
        for number in 0..<2000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4:
                expected.append(Submission(number))
                queue.append(expected.last!)
            case 4:
                expected.insert(Submission(number), at: 0)
                queue.prepend(expected[0])
            case 5:
                let several = [Submission(number), Submission(number)]
                expected = several + expected
                queue.prepend(contentsOf: several)
            case 6..<9 where !expected.isEmpty:
                queue.remove(expected.remove(at: Int.random(in: 0..<expected.count, using: &generator)))
            default: #expect(queue.popFirst() === (expected.isEmpty ? nil : expected.removeFirst()))
            }
            #expect(queue.count == expected.count && queue.isEmpty == expected.isEmpty)
        }
        #expect(queue.removeAll().map(\.id) == expected.map(\.id))
        #expect(queue.isEmpty && queue.popFirst() == nil)
    }

    @Test func `those that were removed are freed while nothing is taken`() {
        var queue = SubmissionQueue()
        weak var first: Submission?
        do {
            let submission = Submission(0)
            first = submission
            queue.append(submission)
            queue.remove(submission)
        }
        for number in 1...100 {
            let submission = Submission(number)
            queue.append(submission)
            queue.remove(submission)
        }
        #expect(first == nil)
    }
}
