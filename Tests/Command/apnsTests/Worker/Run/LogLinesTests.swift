import Dispatch
import Synchronization
import Testing

@testable import apns

@Suite struct LogLinesTests {
    @Test func `a reader that stands still stops nobody, and the lines that it missed are counted`() {
        let reads = DispatchSemaphore(value: 0)
        let written = Mutex<[String]>([])
        let lines = LogLines(limit: 3) { line in
            reads.wait()
            written.withLock { $0.append(line) }
        } lossLine: { count in
            "\(count) lost"
        }
        for number in 1...5 { lines.append("\(number)") }
        #expect(!lines.finish(milliseconds: 1))
        for _ in 0..<10 { reads.signal() }
        #expect(lines.finish(milliseconds: 60_000))
        lines.append("6")
        #expect(lines.finish(milliseconds: 60_000))
        let all = written.withLock { $0 }
        #expect(all == ["1", "2", "3", "2 lost", "6"])
    }
}
