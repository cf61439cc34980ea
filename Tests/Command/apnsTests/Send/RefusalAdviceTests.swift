import APNSModel
import Testing

@testable import apns

struct RefusalAdviceTests {
    @Test func `every documented reason has its advice`() {
        for (reason, _) in Reason.deviceReasons { #expect(RefusalAdvice.table[reason] != nil, "\(reason)") }
        #expect(RefusalAdvice.line(for: Reason("Novel", 503)).contains("wait"))
        #expect(RefusalAdvice.line(for: Reason("Novel", 400)).contains("not known here"))
    }
}
