import APNSModel
import APNSProvider
import Testing

@testable import WorkerCore

@Suite struct OutcomeTableTests {
    /// Written out a second time, so that a change of the table is a decision.
    private static let expected: [(Reason, FollowUp)] = [
        (.badCollapseID, .dead), (.badDeviceToken, .suspect), (.badExpirationDate, .dead), (.badMessageID, .dead),
        (.badPriority, .dead), (.badTopic, .dead), (.deviceTokenNotForTopic, .suspect), (.duplicateHeaders, .dead),
        (.idleTimeout, .again), (.invalidPushType, .dead), (.missingDeviceToken, .dead), (.missingTopic, .dead),
        (.payloadEmpty, .dead), (.topicDisallowed, .dead), (.badCertificate, .credentials),
        (.badCertificateEnvironment, .credentials), (.expiredProviderToken, .credentials), (.forbidden, .credentials),
        (.invalidProviderToken, .credentials), (.missingProviderToken, .credentials),
        (.unrelatedKeyIDInToken, .credentials), (.badEnvironmentKeyInToken, .credentials), (.badPath, .dead),
        (.methodNotAllowed, .dead), (.expiredToken, .feedback), (.unregistered, .feedback), (.payloadTooLarge, .dead),
        (.tooManyProviderTokenUpdates, .credentials), (.tooManyRequests, .device), (.internalServerError, .later),
        (.serviceUnavailable, .later), (.shutdown, .later),
    ]

    @Test func `every reason for a notification to a device has its end`() {
        #expect(OutcomeTableTests.expected.map(\.0) == Reason.deviceReasons.map(\.reason))
        for (reason, followUp) in OutcomeTableTests.expected {
            #expect(OutcomeTable.followUp(of: .refused(reason)) == followUp, "\(reason)")
        }
    }

    @Test(arguments: [
        (400, FollowUp.dead), (403, .credentials), (404, .dead), (410, .feedback), (413, .dead), (429, .device),
        (500, .later), (502, .later), (599, .later), (302, .dead), (0, .dead),
    ]) func `for a reason that Apple adds the status decides`(_ status: Int, _ followUp: FollowUp) {
        #expect(OutcomeTable.followUp(of: .refused(Reason("Brandnew", status))) == followUp)
    }

    @Test func `new credentials may end what a pause or refused credentials defer, and no other wait`() {
        for (reason, followUp) in OutcomeTableTests.expected {
            #expect(OutcomeTable.mayEndWithCredentials(reason.code) == (followUp == .credentials), "\(reason)")
        }
        for reason in [OutcomeTable.deferred, "signing-failed", "connection-failed", "status-403"] {
            #expect(OutcomeTable.mayEndWithCredentials(reason), "\(reason)")
        }
        for reason in ["", "connection-lost", "status-500", "handed-back"] {
            #expect(!OutcomeTable.mayEndWithCredentials(reason), "\(reason)")
        }
    }

    @Test func `accepted is done, and an unknown outcome is in doubt`() throws {
        let id = try #require(NotificationID("8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162"))
        #expect(OutcomeTable.followUp(of: .accepted(apnsID: id, uniqueID: nil)) == .done)
        #expect(OutcomeTable.followUp(of: .lost) == .doubt)
    }

    @Test(arguments: [
        (APNSSendError.Code.invalidNotification, FollowUp.dead), (.signingFailed, .credentials),
        (.connectionFailed, .connection), (.deadlineExceeded, .connection), (.streamReset, .connection),
        (.cancelled, .connection), (.providerClosed, .connection), (.queueFull, .connection),
    ]) func `what was surely not processed goes back, unless sending again cannot help`(
        _ code: APNSSendError.Code, _ followUp: FollowUp
    ) {
        #expect(OutcomeTable.followUp(of: .unsent(APNSSendError(code, "", isSafeToRetry: true))) == followUp)
    }

    @Test(arguments: [APNSSendError.Code.connectionFailed, .deadlineExceeded])
    func `a refused certificate is a fault of the credentials, and none of the connection`(_ code: APNSSendError.Code) {
        var error = APNSSendError(code, "", isSafeToRetry: true)
        error.isCertificateRefused = true
        #expect(OutcomeTable.followUp(of: .unsent(error)) == .credentials)
    }
}
