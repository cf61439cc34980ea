import APNSProvider
import Testing

@testable import apns

struct ReportedErrorsTests {
    private static let here = APNSGateway(host: "127.0.0.1", port: 8443)

    @Test(arguments: [
        (here, "Start a gateway simulator there with: apns gateway"),
        (APNSGateway(host: "localhost", port: 9000), "there with: apns gateway --port 9000"),
        (APNSGateway(host: "push.example.com"), "Check the address https://push.example.com:443"),
    ])
    func `where nothing listens the address is named, and what to start`(gateway: APNSGateway, says: String) {
        var errors = ReportedErrors()
        let refused = APNSSendError(
            .connectionFailed, "cannot connect: connection refused, nothing listens there", isSafeToRetry: true)
        let message = errors.message(about: refused, gateway)
        #expect(message?.contains("\n    ") == true && message?.contains(says) == true, "\(message ?? "")")
    }

    @Test func `a host without an address is a matter of its name and of DNS`() {
        var errors = ReportedErrors()
        let lost = APNSSendError(.connectionFailed, "cannot find the host push.exmaple.com", isSafeToRetry: true)
        let message = errors.message(about: lost, APNSGateway(host: "push.exmaple.com")) ?? ""
        #expect(message.contains("spelling of push.exmaple.com") && message.contains("DNS"), "\(message)")
        #expect(!message.contains("--ca"), "\(message)")
    }

    @Test func `what a proxy refuses is not the gateway's fault`() {
        var errors = ReportedErrors()
        let failed = APNSSendError(
            .connectionFailed, "cannot connect to the proxy 127.0.0.1:1: connection refused, nothing listens there",
            isSafeToRetry: true)
        #expect(errors.message(about: failed, ReportedErrorsTests.here)?.contains("--proxy none") == true)
    }

    @Test func `an error is reported once, with advice`() {
        var errors = ReportedErrors()
        let here = ReportedErrorsTests.here
        let failed = APNSSendError(.connectionFailed, "no answer", isSafeToRetry: true)
        #expect(
            errors.message(about: failed, here)?.contains("no answer\n    Check that the gateway runs there") == true)
        #expect(errors.message(about: failed, here) == nil)
        let late = APNSSendError(.deadlineExceeded, "", isSafeToRetry: false)
        #expect(errors.message(about: late, here)?.hasSuffix("A longer --timeout waits longer.") == true)
    }

    @Test func `what the user stopped is not reported`() {
        var errors = ReportedErrors()
        #expect(
            errors.message(about: APNSSendError(.cancelled, "stopped", isSafeToRetry: true), ReportedErrorsTests.here)
                == nil)
    }

    @Test func `after the first ones a single note replaces all others`() {
        var errors = ReportedErrors()
        let messages = (0..<50).map {
            errors.message(
                about: APNSSendError(.connectionLost, "reason \($0)", isSafeToRetry: false), ReportedErrorsTests.here)
        }
        #expect(messages.prefix(ReportedErrors.maximum).allSatisfy { $0?.contains("reason ") == true })
        #expect(messages[ReportedErrors.maximum] == "there are more kinds of errors, which are not shown")
        #expect(messages.dropFirst(ReportedErrors.maximum + 1).allSatisfy { $0 == nil })
    }
}
