import APNSModel
import Testing

@testable import Doctor

struct CredentialAnswerTests {
    @Test func `every reason of APNs says what is known about the credentials`() {
        let accepted: Set<Reason> = [
            .badDeviceToken, .topicDisallowed, .deviceTokenNotForTopic, .unregistered, .expiredToken, .tooManyRequests,
        ]
        let refused: Set<Reason> = [
            .invalidProviderToken, .expiredProviderToken, .missingProviderToken, .unrelatedKeyIDInToken, .forbidden,
            .badCertificate, .tooManyProviderTokenUpdates,
        ]
        let other: Set<Reason> = [.badEnvironmentKeyInToken, .badCertificateEnvironment]
        for (reason, _) in Reason.deviceReasons {
            let answer = CredentialAnswer(.refused(reason))
            switch answer {
            case .accepted: #expect(accepted.contains(reason), "\(reason)")
            case .refused(let named): #expect(named == reason && refused.contains(reason), "\(reason)")
            case .otherEnvironment(let named): #expect(named == reason && other.contains(reason), "\(reason)")
            case .unclear: #expect(!accepted.union(refused).union(other).contains(reason), "\(reason)")
            case .alert: Issue.record("\(reason) is no alert")
            }
        }
    }

    @Test func `a GOAWAY has the reason of the answer with the same name`() {
        #expect(CredentialAnswer(.none("x", goAway: "BadCertificate")) == .refused(.badCertificate))
        #expect(
            CredentialAnswer(.none("x", goAway: "BadCertificateEnvironment"))
                == .otherEnvironment(.badCertificateEnvironment))
        guard case .unclear = CredentialAnswer(.none("x", goAway: "NO_ERROR")) else {
            Issue.record("NO_ERROR says nothing")
            return
        }
    }

    @Test func `credentials count as accepted only by an answer that proves it`() {
        var connection = DoctorEvidence.connection("api.push.apple.com", impossible: .refused(.badDeviceToken), nil)
        #expect(CredentialsAccepted.by(connection))
        connection.impossible = .refused(.missingTopic)
        #expect(!CredentialsAccepted.by(connection))
        connection.impossible = nil
        #expect(!CredentialsAccepted.by(connection))
        #expect(!CredentialsAccepted.by(nil))
    }
}
