import PushDispatch
import Testing

struct SerialQueueTests {
    private actor Journal {
        private let inOrder = SerialQueue()
        private(set) var lines: [String] = []
        private(set) var asked = 0

        func run(_ name: String, until end: Signal? = nil) async throws {
            asked += 1
            try await inOrder {
                lines.append("\(name) begins")
                await end?.wait()
                lines.append("\(name) ends")
                if name == "failing" { throw TestError() }
            }
        }
    }

    @Test func `operations run one after the other, in the order in which they were asked for`() async throws {
        let journal = Journal()
        let end = Signal()
        let first = Task { try await journal.run("a", until: end) }
        while await journal.lines.isEmpty { await Task.yield() }
        let second = Task { try await journal.run("b") }
        while await journal.asked < 2 { await Task.yield() }
        let third = Task { try await journal.run("c") }
        while await journal.asked < 3 { await Task.yield() }
        #expect(await journal.lines == ["a begins"])
        await end.give()
        for task in [first, second, third] { try await task.value }
        #expect(await journal.lines == ["a", "b", "c"].flatMap { ["\($0) begins", "\($0) ends"] })
    }

    @Test func `the queue goes on after an operation that throws`() async throws {
        let journal = Journal()
        await #expect(throws: TestError.self) { try await journal.run("failing") }
        try await journal.run("next")
        #expect(await journal.lines.last == "next ends")
    }
}
