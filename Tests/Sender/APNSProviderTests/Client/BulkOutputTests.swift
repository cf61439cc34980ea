import APNSModel
import Testing

@testable import APNSProvider

struct BulkOutputTests {
    private struct Broken: Error {}

    private func results(_ numbers: ClosedRange<Int>) -> [APNSSendResult] {
        numbers.map { number in
            let submission = Submission(number)
            submission.apnsID = "\(number)"
            return APNSSendResult(submission)
        }
    }

    /// The ids of the next results; nil at the end.
    private func next(_ output: BulkOutput) async -> [String]? {
        if case .results(let results) = await output.next(isolation: nil) {
            results.compactMap(\.apnsID?.text)
        } else {
            nil
        }
    }

    @Test func `a reader gets all results that have arrived, in order`() async {
        let output = BulkOutput()
        var batch = results(1...2)
        _ = output.append(&batch)
        #expect(batch.isEmpty)
        batch = results(3...3)
        _ = output.append(&batch)
        #expect(await next(output) == ["1", "2", "3"])
    }

    @Test func `results are counted until the reader has used them up`() async {
        let output = BulkOutput()
        var batch = results(1...5)
        _ = output.append(&batch)
        _ = await next(output)
        #expect(output.count == 5)
        output.read(5)
        #expect(output.count == 0)
    }

    @Test func `the end comes after the results, with the error of the source`() async {
        let output = BulkOutput()
        var batch = results(1...1)
        _ = output.append(&batch)
        #expect(output.end(after: 1, Broken()))
        #expect(await next(output) == ["1"])
        guard case .end(let error) = await output.next(isolation: nil) else {
            Issue.record("no end")
            return
        }
        #expect(error is Broken)
    }

    @Test func `without a reader, results are freed, and later ones too`() {
        let output = BulkOutput()
        weak var early: Submission?
        weak var late: Submission?
        func append() -> Submission {
            let submission = Submission(1)
            var batch = [APNSSendResult(submission)]
            _ = output.append(&batch)
            return submission
        }
        early = append()
        #expect(early != nil)
        output.abandon()
        #expect(early == nil)
        late = append()
        #expect(late == nil)
    }

    @Test func `a waiting reader is resumed by results and by the end`() async {
        for _ in 0..<200 {
            let output = BulkOutput()
            async let read = [next(output), next(output)]
            var batch = results(1...1)
            _ = output.append(&batch)
            #expect(output.end(after: 1, nil))
            #expect(await read == [["1"], nil])
        }
    }
}
