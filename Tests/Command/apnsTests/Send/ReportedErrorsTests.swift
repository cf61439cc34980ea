import APNSProvider
import Testing

@testable import apns

struct ReportedErrorsTests {
    @Test func `an error is reported once, with advice`() {
        var errors = ReportedErrors()
        let failed = APNSSendError(.connectionFailed, "no answer", isSafeToRetry: true)
        #expect(errors.message(about: failed)?.contains("no answer\n    Check that the gateway runs there") == true)
        #expect(errors.message(about: failed) == nil)
        let late = APNSSendError(.deadlineExceeded, "", isSafeToRetry: false)
        #expect(errors.message(about: late)?.hasSuffix("A longer --timeout waits longer.") == true)
    }

    @Test func `what the user stopped is not reported`() {
        var errors = ReportedErrors()
        #expect(errors.message(about: APNSSendError(.cancelled, "stopped", isSafeToRetry: true)) == nil)
    }

    @Test func `after the first ones a single note replaces all others`() {
        var errors = ReportedErrors()
        let messages = (0..<50).map {
            errors.message(about: APNSSendError(.connectionLost, "reason \($0)", isSafeToRetry: false))
        }
        #expect(messages.prefix(ReportedErrors.maximum).allSatisfy { $0?.contains("reason ") == true })
        #expect(messages[ReportedErrors.maximum] == "there are more kinds of errors, which are not shown")
        #expect(messages.dropFirst(ReportedErrors.maximum + 1).allSatisfy { $0 == nil })
    }
}
