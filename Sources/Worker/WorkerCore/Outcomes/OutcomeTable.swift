package import APNSModel
package import APNSProvider

/// What follows from each outcome, as one table. A row of a reason wins over a row of a status.
package enum OutcomeTable {
    /// By the reason of a refusal.
    package static let reasons: [(reason: Reason, followUp: FollowUp)] = [
        (.badDeviceToken, .suspect),
        (.deviceTokenNotForTopic, .suspect),
        (.unregistered, .feedback),
        (.expiredToken, .feedback),
        (.tooManyRequests, .device),
        (.tooManyProviderTokenUpdates, .credentials),
        (.expiredProviderToken, .credentials),
        (.invalidProviderToken, .credentials),
        (.missingProviderToken, .credentials),
        (.unrelatedKeyIDInToken, .credentials),
        (.badEnvironmentKeyInToken, .credentials),
        (.badCertificate, .credentials),
        (.badCertificateEnvironment, .credentials),
        (.forbidden, .credentials),
        // The gateway answered, so it can be reached: this says nothing about other pushes.
        (.idleTimeout, .again),
    ]

    /// By the status of a refusal whose reason has no row.
    package static let statuses: [(statuses: ClosedRange<Int>, followUp: FollowUp)] = [
        (403...403, .credentials),
        (410...410, .feedback),
        (429...429, .device),
        (500...599, .later),
        (0...999, .dead),
    ]

    /// By the code of an error that says that the push was surely not processed.
    package static let unsent: [(code: APNSSendError.Code, followUp: FollowUp)] = [
        (.invalidNotification, .dead),
        (.signingFailed, .credentials),
    ]

    private static let byReason = Dictionary(uniqueKeysWithValues: reasons.map { ($0.reason.code, $0.followUp) })
    private static let byCode = Dictionary(uniqueKeysWithValues: unsent.map { ($0.code, $0.followUp) })

    /// The reason of a push that waits in the engine because of its tenant, and was not refused itself.
    package static let deferred = "deferred"

    /// Whether new credentials may end what a push waits for in the engine.
    ///
    /// - Parameter reason: That of a scheduled job.
    package static func mayEndWithCredentials(_ reason: String) -> Bool {
        // Without a reason a refusal has its status. The refusal of a certificate is a failed connection.
        reason == deferred || byReason[reason] == .credentials || reason == "status-403"
            || reason == APNSSendError.Code.signingFailed.rawValue
            || reason == APNSSendError.Code.connectionFailed.rawValue
    }

    package static func followUp(of outcome: APNSOutcome) -> FollowUp {
        switch outcome {
        case .accepted: .done
        case .refused(let refusal):
            byReason[refusal.reason.code]
                ?? statuses.first { $0.statuses.contains(refusal.reason.status) }?.followUp ?? .dead
        case .unsent(let error): error.isCertificateRefused ? .credentials : byCode[error.code] ?? .connection
        case .unknown: .doubt
        }
    }
}
