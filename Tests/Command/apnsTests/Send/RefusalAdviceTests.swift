import APNSModel
import Testing

@testable import apns

struct RefusalAdviceTests {
    @Test func `every documented reason has its advice`() {
        for (reason, _) in Reason.deviceReasons { #expect(RefusalAdvice.table[reason] != nil, "\(reason)") }
        for (reason, _) in Reason.broadcastReasons {
            #expect(RefusalAdvice.channelTable[reason] != nil, "\(reason)")
        }
        #expect(RefusalAdvice.line(for: .topicDisallowed).contains("--topic"))
        #expect(RefusalAdvice.line(forBroadcast: .badExpirationDate).contains("--expiration once only"))
        #expect(RefusalAdvice.line(forBroadcast: .badPriority) == RefusalAdvice.line(for: .badPriority))
        #expect(RefusalAdvice.line(for: Reason("Novel", 503)).contains("wait"))
        #expect(RefusalAdvice.line(for: Reason("Novel", 400)).contains("not known here"))
    }
}
