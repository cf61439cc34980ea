import APNSModel
import Testing

struct ReasonTests {
    @Test func `each reason is listed once, with the status of its group`() {
        let reasons = (Reason.deviceReasons + Reason.broadcastReasons).map(\.reason)
        #expect(Set(reasons.map(\.code)).count == reasons.count)
        #expect(Reason.deviceReasons.count == 32 && Reason.broadcastReasons.count == 10)
        #expect(reasons.allSatisfy { [400, 403, 404, 405, 410, 413, 429, 500, 503].contains($0.status) })
        #expect("\(Reason.badDeviceToken)" == "BadDeviceToken (400)")
    }

    @Test(
        arguments: [
            (.badDeviceToken, .never), (.unregistered, .never), (.payloadTooLarge, .never), (.badTopic, .afterFix),
            (.tooManyRequests, .later), (.internalServerError, .later), (.shutdown, .onNewConnection),
            (.idleTimeout, .onNewConnection), (.channelNotRegistered, .never),
        ] as [(Reason, Reason.Retry)])
    func `a known reason has its own retry advice`(reason: Reason, retry: Reason.Retry) {
        #expect(reason.retry == retry)
    }

    @Test func `each reason for a device has an advice that names no option`() {
        for (reason, _) in Reason.deviceReasons {
            let advice = reason.advice ?? ""
            #expect(!advice.isEmpty && !advice.contains("--") && !advice.contains("apns "), "\(reason)")
        }
        #expect(Reason("Future", 400).advice == nil)
    }

    @Test func `an unknown reason keeps its code, and its status gives the advice`() {
        #expect(Reason("Future", 400).retry == .afterFix)
        #expect(Reason("Future", 410).retry == .afterFix)
        #expect(Reason("Future", 429).retry == .later)
        #expect(Reason("Future", 500).retry == .later)
        #expect(Reason("Future", 599).retry == .later)
        #expect(Reason.named("Future", status: 418) == Reason("Future", 418))
    }

    @Test func `both spellings of a reason are read as the one on the wire`() {
        #expect(Reason.named("BadEnvironmentKeyIdInToken", status: 403) == .badEnvironmentKeyInToken)
        #expect(Reason.named("BadEnvironmentKeyInToken", status: 403) == .badEnvironmentKeyInToken)
        #expect(Reason.named("Service Unavailable", status: 503) == .serviceUnavailable)
        #expect(Reason.named("BadTopic", status: 499) == Reason("BadTopic", 499))
    }
}
