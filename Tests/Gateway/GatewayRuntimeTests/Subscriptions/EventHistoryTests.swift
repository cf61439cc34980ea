import GatewayConfiguration
import GatewayJSON
import Testing

@testable import GatewayRuntime

struct EventHistoryTests {
    private func numbers(_ history: EventHistory, after number: UInt64, start: Int64 = 7) -> [UInt64]? {
        history.events(after: EventID(start: start, number: number))?.map(\.id.number)
    }

    private func history(of count: Int) -> EventHistory {
        var history = EventHistory()
        history.begin(at: 7)
        for _ in 0..<count { _ = history.add(.reset) }
        return history
    }

    @Test func `what came after an event is kept, up to a limit`() {
        #expect(numbers(history(of: 0), after: 0) == [])
        #expect(numbers(history(of: 3), after: 1) == [2, 3])
        #expect(numbers(history(of: 3), after: 3) == [])
        #expect(numbers(history(of: 3), after: 4) == nil)
        #expect(numbers(history(of: 3), after: 1, start: 8) == nil)
        let full = history(of: SubscriberLimits.eventHistory + 5)
        #expect(numbers(full, after: 4) == nil)
        #expect(numbers(full, after: 5)?.count == SubscriberLimits.eventHistory)
        #expect(numbers(full, after: UInt64(SubscriberLimits.eventHistory) + 3)?.count == 2)
    }

    @Test func `the events are the ones that were added, in order`() {
        var history = history(of: SubscriberLimits.eventHistory)
        let last = history.last
        _ = history.add(.journalEmptied)
        _ = history.add(.reset)
        #expect(history.events(after: last)?.map(\.event.name) == ["journal-emptied", "reset"])
    }

    @Test func `nothing is kept before the first client, and some heartbeats after the last one`() {
        var history = EventHistory()
        _ = history.add(.reset)
        #expect(!history.isKept && history.last.number == 0)
        history.begin(at: 7)
        for _ in 1...10 { history.heartbeat(hasClients: true) }
        _ = history.add(.reset)
        for _ in 1..<EventHistory.patience { history.heartbeat(hasClients: false) }
        #expect(numbers(history, after: 0) == [1])
        history.begin(at: 9)
        #expect(numbers(history, after: 0) == [1])
        for _ in 1...EventHistory.patience { history.heartbeat(hasClients: false) }
        #expect(!history.isKept)
        #expect(numbers(history, after: 0) == nil)
    }

    @Test(arguments: ["", "7", "7-", "-1", "a-1", "7--1", "7-1-1"])
    func `an id of another form is none`(text: String) { #expect(EventID(text) == nil) }
}
