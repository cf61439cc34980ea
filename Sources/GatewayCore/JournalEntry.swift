package import APNSModel

/// One request for a notification with its verdict and everything that happened to it since.
package struct JournalEntry: Sendable {
    /// Counts the requests of the world from 0.
    package let sequence: UInt64
    /// Every entry has one, so that it can be looked up. Only an answer of the sandbox that accepts carries it as
    /// `apns-unique-id`; for production and for refusals it stays inside the journal (apns-protocol.md 1.7 and 2.6).
    package let uniqueID: String
    /// When it came in. Milliseconds since 1970.
    package let received: Int64
    package let environment: APNSEnvironment
    /// As it stood in the path; nil when there was none.
    package let token: String?
    /// Nil when neither the request nor the certificate named one.
    package let topic: String?
    package let pushType: String?
    package let priority: String?
    package let expiration: String?
    package let collapseID: String?
    package let payload: [UInt8]
    /// How much longer than `payload` the body was.
    package let omittedBytes: Int
    package let keyID: String?
    package let teamID: String?
    /// False for the provider token of an unknown key, which only `acceptsAnyKey` lets through.
    package let isVerified: Bool
    package let verdict: Verdict
    /// What a fault rule did to it; nil for most.
    package let fault: FaultNote?
    /// Oldest first; starts with `accepted` or `refused`, and with `dropped` for what was not judged.
    package internal(set) var life: [LifeEntry]

    package var payloadBytes: Int { payload.count + omittedBytes }
}
