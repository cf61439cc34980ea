import APNSModel
import TLSSession

@testable import Doctor

extension CheckCase {
    static let identities: [CheckCase] = [
        .init("identity", "a wrong key or team", .fail, "the same for all three") {
            $0.answer(.refused(.invalidProviderToken))
        },
        .init("identity", "another key id than in the name", .fail, "give --key-id ABC123DEFG") {
            $0.answer(.refused(.invalidProviderToken))
            $0.key.change { $0.keyID = "XYZ123DEFG" }
        },
        .init("identity", "a wrong key or team, and a wrong clock", .fail, "set the clock first") {
            $0.answer(.refused(.invalidProviderToken))
            $0.date.change { $0.answer = .date(server: 0, machine: 900, uncertainty: 2) }
        },
        .init("identity", "a clock that is behind", .fail, "its clock is more than an hour wrong") {
            $0.answer(.refused(.expiredProviderToken))
        },
        .init("identity", "too many provider tokens", .warn, "20 to 60 minutes") {
            $0.answer(.refused(.tooManyProviderTokenUpdates))
        },
        .init("identity", "a header that was removed", .fail, "removes the authorization header") {
            $0.answer(.refused(.missingProviderToken))
        },
        .init("identity", "a revoked key", .fail, "revoked") { $0.answer(.refused(.forbidden)) },
        .init("identity", "a certificate that GOAWAY refuses", .fail, "403 BadCertificate") {
            $0.answer(.none("GOAWAY BadCertificate", goAway: "BadCertificate"))
        },
        .init("identity", "a certificate that TLS refuses", .fail, "certificate revoked") {
            $0.answer(.certificateRefused("the peer refused our certificate: certificate revoked"))
        },
        .init("identity", "another environment", .fail, "see key-environment") {
            $0.answer(.refused(.badEnvironmentKeyInToken))
        },
        .init("identity", "the wire form that Apple documents", .fail, "see key-environment") {
            $0.answer(.refused(.named("BadEnvironmentKeyIdInToken", status: 403)))
        },
        .init("identity", "an overloaded gateway", .warn, "503 ServiceUnavailable") {
            $0.answer(.refused(.serviceUnavailable))
        },
        .init("identity", "a reason that nobody knows", .warn, "418 Teapot") {
            $0.answer(.refused(Reason("Teapot", 418)))
        },
        .init("identity", "no answer", .warn, "no answer came in time") { $0.answer(.none("no answer came in time")) },
        .init("identity", "no connection", .skip, "no connection") {
            $0.connection.change {
                $0.impossible = nil
                $0.http2 = nil
            }
        },
        .init("identity", "no credentials", .skip, "no credentials") { $0.answer(nil) },
        .init("identity", "a simulator that takes every device token", .pass, "accepts the provider token") {
            $0.answer(.accepted)
        },
        .init("identity", "a certificate", .pass, "accepts the certificate") {
            $0.credentials = .seen(.certificate(path: "x"))
        },
        .init("key-environment", "this one alone", .pass, "they are for one environment") {
            $0.answer(.refused(.badDeviceToken), other: .refused(.badEnvironmentKeyInToken))
        },
        .init("key-environment", "the other one", .fail, "for Apple's sandbox, and not for Apple's production") {
            $0.answer(.refused(.badEnvironmentKeyInToken), other: .refused(.badDeviceToken))
        },
        .init("key-environment", "a certificate of the other one", .fail, "for another environment") {
            $0.answer(.none("x", goAway: "BadCertificateEnvironment"), other: nil)
        },
        .init("key-environment", "refused here, accepted there", .fail, "Apple's sandbox accepts them") {
            $0.answer(.refused(.invalidProviderToken), other: .refused(.badDeviceToken))
        },
        .init("key-environment", "refused in both", .skip, "identity says") {
            $0.answer(.refused(.invalidProviderToken), other: .refused(.invalidProviderToken))
        },
        .init("key-environment", "no answer", .skip, "no answer") { $0.answer(.none("no answer came"), other: nil) },
        .init("key-environment", "a gateway", .pass, "another environment was not asked") {
            $0.answer(.refused(.badDeviceToken), other: nil)
        },
    ]

    static let topics: [CheckCase] = [
        .init("topic-form", "a space", .fail, "a space") { $0.topic = .seen("com.example app") },
        .init("topic-form", "an App ID", .fail, "begins with a team id") {
            $0.topic = .seen("DEF123GHIJ.com.example.app")
        },
        .init("topic-form", "no dot", .warn, "has no dot") { $0.topic = .seen("MyApp") },
        .init("topic-form", "a suffix", .pass, "for the push type voip") { $0.topic = .seen("com.example.app.voip") },
        .init("topic-form", "none", .skip, "--topic") { $0.topic = .unseen("no topic is given; --topic names it") },
        .init("certificate-topic", "another app", .fail, "and not for \"com.example.other\"") {
            $0.topic = .seen("com.example.other")
        },
        .init("certificate-topic", "no topic", .fail, "names no topic") {
            $0.certificate.change {
                $0.facts?.userID = nil
                $0.facts?.topics = []
            }
        },
        .init("certificate-topic", "an unreadable file", .skip, "could not be read") {
            $0.certificate.change { $0.facts = nil }
        },
        .init("topic-allowed", "another team's app", .fail, "may not push to \"com.example.app\"") {
            $0.device(.refused(.topicDisallowed))
        },
        .init("topic-allowed", "a topic that is none", .fail, "BadTopic") { $0.device(.refused(.badTopic)) },
        .init("topic-allowed", "an unknown device token", .skip, "judges it before the topic") {
            $0.device(.refused(.badDeviceToken))
        },
        .init("topic-allowed", "a device token of another app", .pass, "allows the topic") {
            $0.device(.refused(.deviceTokenNotForTopic))
        },
        .init("topic-allowed", "no push", .skip, "no push was sent") { $0.device(nil) },
        .init("topic-allowed", "no device token", .skip, "--token") { $0.deviceToken = .unseen("--token gives one") },
        .init("topic-allowed", "a push that is not sent", .skip, "would do something") {
            $0.deviceNotAsked = "it would do something"
        },
        .init("topic-allowed", "no answer", .skip, "too late") { $0.device(.none("too late")) },
        .init("topic-allowed", "an overloaded gateway", .skip, "nothing about the topic") {
            $0.device(.refused(.serviceUnavailable))
        },
    ]

    static let devices: [CheckCase] = [
        .init("device-token-form", "a Data value", .fail, "without brackets and spaces") {
            $0.deviceToken = .seen("<740f4707 bebcf74f 9b7c25d4 8e335894 5f6aa01d a5ddb387 462c7eaf 61bb78ad>")
        },
        .init("device-token-form", "Firebase's", .fail, "only Firebase sends to it") {
            $0.deviceToken = .seen("cXyz:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx")
        },
        .init("device-token-form", "half of one", .warn, "has 16 bytes") {
            $0.deviceToken = .seen(String(repeating: "0f", count: 16))
        },
        .init("device-token-form", "too long", .fail, "none has more than 100") {
            $0.deviceToken = .seen(String(repeating: "0f", count: 101))
        },
        .init("device-token-known", "of the other environment", .fail, "send to Apple's sandbox") {
            $0.device(.refused(.badDeviceToken), other: .accepted)
        },
        .init("device-token-known", "of the other environment, without the app", .fail, "send to Apple's sandbox") {
            $0.device(.refused(.badDeviceToken), other: .refused(.unregistered, timestamp: 1))
        },
        .init("device-token-known", "of none", .fail, "neither Apple's production nor Apple's sandbox") {
            $0.device(.refused(.badDeviceToken), other: .refused(.badDeviceToken))
        },
        .init("device-token-known", "unknown here, the other not asked", .fail, "(BadDeviceToken)") {
            $0.device(.refused(.badDeviceToken))
        },
        .init("device-token-known", "of another app", .pass, "knows the device token") {
            $0.device(.refused(.deviceTokenNotForTopic))
        },
        .init("device-token-known", "an overloaded gateway", .skip, "nothing about the device token") {
            $0.device(.refused(.shutdown))
        },
        .init("device-token-topic", "of another app", .fail, "does not belong to \"com.example.app\"") {
            $0.device(.refused(.deviceTokenNotForTopic))
        },
        .init("device-token-topic", "an app that was removed", .pass, "belongs to") {
            $0.device(.refused(.unregistered))
        },
        .init("device-token-topic", "unknown", .skip, "is judged before it") { $0.device(.refused(.badDeviceToken)) },
        .init("device-token-active", "an app that was removed", .fail, "since 2026-11-27 10:00:00 UTC at the latest") {
            $0.device(.refused(.unregistered, timestamp: DoctorEvidence.now * 1000))
        },
        .init("device-token-active", "expired", .fail, "ExpiredToken") { $0.device(.refused(.expiredToken)) },
        .init("device-token-active", "unknown", .skip, "is judged before it") { $0.device(.refused(.badDeviceToken)) },
        .init("push-accepted", "too many", .warn, "less often") { $0.device(.refused(.tooManyRequests)) },
        .init("push-accepted", "an overloaded gateway", .fail, "15 minutes") {
            $0.device(.refused(.serviceUnavailable))
        },
        .init("push-accepted", "no answer to the push before", .fail, "was not judged: too late") {
            $0.device(nil)
            $0.answer(.none("too late"))
        },
        .init("push-accepted", "an error in answer to the push before", .fail, "500 InternalServerError") {
            $0.device(nil)
            $0.answer(.refused(.internalServerError))
        },
        .init("push-accepted", "refused credentials", .skip, "no push was sent") {
            $0.device(nil)
            $0.answer(.refused(.invalidProviderToken))
        },
        .init("push-accepted", "an app that was removed", .fail, "Unregistered") { $0.device(.refused(.unregistered)) },
        .init("push-accepted", "no answer", .fail, "no answer came") { $0.device(.none("too late")) },
        .init("device-unseen", "always", .skip, "force-quit") { _ in },
    ]

    static let queues: [CheckCase] = [
        .init("queue-reached", "refused", .fail, "connection refused") {
            $0.queue.change { $0.failure = "connection refused" }
        },
        .init("queue-version", "old", .fail, "Redis 5.0.7 is too old") { $0.setServer(QueueServer(version: "5.0.7")) },
        .init("queue-version", "just old enough", .fail, "6.0.16 is too old") {
            $0.setServer(QueueServer(version: "6.0.16"))
        },
        .init("queue-version", "just new enough", .pass, "6.2.0 is no replica") {
            $0.setServer(QueueServer(version: "6.2.0"))
        },
        .init("queue-version", "a replica", .fail, "takes no writes") {
            $0.setServer(QueueServer(version: "7.0.15", takesWrites: false))
        },
        .init("queue-version", "a read-only PostgreSQL", .fail, "default_transaction_read_only is on") {
            $0.queue.change { $0.engine = .postgresql }
            $0.setServer(QueueServer(version: "15.8", takesWrites: false))
        },
        .init("queue-version", "a cluster", .fail, "node of a cluster") {
            $0.setServer(QueueServer(version: "7.0.15", isCluster: true))
        },
        .init("queue-version", "a sentinel", .fail, "add sentinel=NAME to the URL") {
            $0.setServer(QueueServer(version: "7.0.15", isSentinel: true))
        },
        .init("queue-version", "PostgreSQL", .pass, "PostgreSQL 15.8 (Debian)") {
            $0.queue.change { $0.engine = .postgresql }
            $0.setServer(QueueServer(version: "15.8 (Debian)"))
        },
        .init("queue-version", "no number", .skip, "not a number") { $0.setServer(QueueServer(version: "next")) },
        .init("queue-persistence", "once a second", .warn, "appendfsync everysec") {
            $0.setPersistence(.appendOnlyFile(fsync: "everysec"))
        },
        .init("queue-persistence", "how often is not said", .warn, "not said") {
            $0.setPersistence(.appendOnlyFile(fsync: nil))
        },
        .init("queue-persistence", "snapshots", .fail, "snapshots only") { $0.setPersistence(.snapshots) },
        .init("queue-persistence", "none", .fail, "nothing on disk") { $0.setPersistence(QueuePersistence.none) },
        .init("queue-persistence", "a full disk", .fail, "No space") { $0.setPersistence(.failing("No space left")) },
        .init("queue-persistence", "a log that is synced", .pass, "at each commit") {
            $0.setPersistence(.writeAheadLog(off: []))
        },
        .init("queue-persistence", "a log that is not synced", .fail, "fsync") {
            $0.setPersistence(.writeAheadLog(off: ["fsync"]))
        },
        .init("queue-memory", "a cache", .fail, "removes keys") {
            $0.queue.change { $0.memory = .seen(QueueMemory(policy: "allkeys-lru", limit: 100, used: 10)) }
        },
        .init("queue-memory", "a cache without a limit", .warn, "as soon as maxmemory is set") {
            $0.queue.change { $0.memory = .seen(QueueMemory(policy: "allkeys-lru", limit: 0, used: 10)) }
        },
        .init("queue-memory", "nearly full", .warn, "85 % of maxmemory") {
            $0.queue.change { $0.memory = .seen(QueueMemory(policy: "noeviction", limit: 100, used: 85)) }
        },
        .init("queue-memory", "full", .fail, "100 % of maxmemory is used: the engine refuses jobs") {
            $0.queue.change { $0.memory = .seen(QueueMemory(policy: "noeviction", limit: 100, used: 100)) }
        },
        .init("queue-memory", "PostgreSQL", .skip, "no such setting") {
            $0.queue.change { $0.memory = .unseen("PostgreSQL has no such setting") }
        },
        .init("queue-backlog", "nobody sends", .fail, "has waited for 10 min") {
            $0.queue.change { $0.backlog = .seen(QueueBacklog(backlog: 9, pending: 0, dead: 0, oldest: 600)) }
        },
        .init("queue-backlog", "a lane without a worker", .warn, "no worker has read") {
            let lanes = ["3 jobs wait in the lane hihg, which no worker has read in the last five minutes"]
            $0.queue.change {
                $0.backlog = .seen(QueueBacklog(backlog: 3, pending: 0, dead: 0, oldest: 2, unreadLanes: lanes))
            }
        },
        .init("queue-backlog", "dead jobs", .warn, "apns worker dead") {
            $0.queue.change { $0.backlog = .seen(QueueBacklog(backlog: 0, pending: 0, dead: 4, oldest: nil)) }
        },
        .init("queue-backlog", "no tables", .fail, "there is no table") {
            $0.queue.change {
                $0.backlog = .seen(
                    QueueBacklog(backlog: 0, pending: 0, dead: 0, oldest: nil, problems: ["there is no table"]))
            }
        },
    ]
}

extension DoctorEvidence {
    /// Sets the answers to the pushes to an impossible device token.
    fileprivate mutating func answer(_ answer: PushAnswer?, other: PushAnswer? = .refused(.badDeviceToken)) {
        connection.change { $0.impossible = answer }
        self.other.change { $0.impossible = other }
    }

    /// Sets the answers to the pushes to the device token.
    fileprivate mutating func device(_ answer: PushAnswer?, other: PushAnswer? = nil) {
        connection.change { $0.device = answer }
        self.other.change { $0.device = other }
    }

    fileprivate mutating func setServer(_ server: QueueServer) { queue.change { $0.server = .seen(server) } }

    fileprivate mutating func setPersistence(_ persistence: QueuePersistence) {
        queue.change { $0.persistence = .seen(persistence) }
    }
}
