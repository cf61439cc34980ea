import PushDispatch
import Testing

@testable import SelectiveSync

struct SyncTicketTests {
    private var ticket = SyncCore.Ticket(
        object: "Account", scope: .named, stopAt: DispatchMoment(milliseconds: 10_000))

    private func at(_ milliseconds: Int64) -> DispatchMoment { DispatchMoment(milliseconds: milliseconds) }

    @Test mutating func `it closes after its tries, and no try reopens it`() {
        for _ in 0..<2 {
            ticket.countTry()
            ticket.closeUnlessRetried(at: at(100), maximumTries: 3)
        }
        #expect(ticket.isOpen)
        ticket.countTry()
        ticket.closeUnlessRetried(at: at(100), maximumTries: 3)
        #expect(!ticket.isOpen)
        ticket.countTry()
        ticket.closeUnlessRetried(at: at(100), maximumTries: 9)
        #expect(!ticket.isOpen)
    }

    @Test(arguments: [(9_999, true), (10_000, false)] as [(Int64, Bool)])
    mutating func `it closes if the next try comes too late`(retryAt: Int64, isOpen: Bool) {
        ticket.countTry()
        ticket.closeUnlessRetried(at: at(retryAt), maximumTries: 3)
        #expect(ticket.isOpen == isOpen)
    }

    @Test mutating func `its report lists what is unfinished`() {
        #expect(ticket.report == HandlerReport(changed: 0))
        ticket.changed = 2
        ticket.lost = [.test(9)]
        ticket.waiting = [.test(3), .test(1)]
        #expect(
            ticket.report == HandlerReport(changed: 2, unfinished: [.test(9), .test(1), .test(3)], isFailed: true))
        ticket.dropRecords()
        #expect(ticket.report == HandlerReport(changed: 2))
    }

    @Test mutating func `a failure and a missed companion make the report a failure`() {
        ticket.missed = [.test(1)]
        #expect(ticket.report == HandlerReport(changed: 0, isFailed: true))
        ticket.missed = []
        ticket.fail()
        #expect(ticket.report == HandlerReport(changed: 0, isFailed: true))
    }
}
