import Foundation
import Testing

@testable import APNSModel

struct PriorityTests {
    @Test func `there are three priorities`() {
        #expect((-1...20).compactMap { Priority(rawValue: $0) } == [.low, .powerConsiderate, .immediate])
        #expect([Priority.immediate, .powerConsiderate, .low].map(\.rawValue) == [10, 5, 1])
    }

    @Test func `one is encoded as its number, which is checked again`() throws {
        #expect(try JSONEncoder().encode([Priority.immediate]) == Data("[10]".utf8))
        #expect(try JSONDecoder().decode([Priority].self, from: Data("[5]".utf8)) == [.powerConsiderate])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Priority].self, from: Data("[7]".utf8)) }
    }

    @Test func `a recorded one keeps what APNs refuses`() {
        #expect(Priority(recorded: 7).rawValue == 7)
    }
}
