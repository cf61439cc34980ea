import Testing

@testable import PushQueue

@Suite struct LaneNameTests {
    @Test(arguments: ["high", "bulk-2", "a_b", "0", String(repeating: "x", count: 32)])
    func `a lane has letters, digits, hyphens and underscores`(_ text: String) {
        #expect(LaneName(text)?.text == text)
    }

    @Test(arguments: ["", "High", "a:b", "a b", "é", "a\n", String(repeating: "x", count: 33)])
    func `a text that could leave its key of Redis is no lane`(_ text: String) {
        #expect(LaneName(text) == nil)
    }

    @Test(arguments: ["", "a b", "é", "a\n", String(repeating: "x", count: 129)])
    func `a worker's name is printable ASCII without spaces`(_ text: String) {
        #expect(ConsumerName(text) == nil)
        #expect(ConsumerName("pod-1.example/7")?.text == "pod-1.example/7")
    }
}
