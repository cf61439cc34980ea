import APNSModel
import Testing

@testable import APNSProvider

struct ProviderConnectionTests {
    private static let limits = ProviderCore.Limits(pingAfterSilence: .seconds(15), pingTimeout: .seconds(10))

    /// An open connection with requests 1, 2, … in the slots 0, 1, …
    private func connection(requests: Int = 0, streamLimit: Int? = 100) -> ProviderConnection {
        var connection = ProviderConnection(at: .zero)
        connection.open(at: .zero)
        if let streamLimit { connection.setStreamLimit(streamLimit) }
        for number in 0..<requests {
            connection.start(InFlightRequest(submission: Submission(number + 1)), slot: number)
        }
        return connection
    }

    private func check(
        _ connection: ProviderConnection, after seconds: Int64, isClosing: Bool = false
    ) -> ProviderConnection.HealthCheck {
        connection.healthCheck(at: .zero + .seconds(seconds), isClosing: isClosing, limits: Self.limits)
    }

    @Test func `a connection takes streams only while it is open`() {
        var connection = ProviderConnection(at: .zero)
        #expect(connection.isConnecting && connection.isUsable && !connection.takesStream(at: .zero))
        connection.open(at: .zero)
        #expect(connection.isOpen && connection.takesStream(at: .zero))
        connection.drain()
        #expect(!connection.isUsable && !connection.takesStream(at: .zero))
    }

    @Test func `before SETTINGS have come, one stream is allowed, or none`() {
        #expect(connection(requests: 0, streamLimit: nil).takesStream(at: .zero))
        #expect(!connection(requests: 1, streamLimit: nil).takesStream(at: .zero))
        var careful = ProviderConnection(at: .zero, initialStreamLimit: 0)
        careful.open(at: .zero)
        #expect(!careful.takesStream(at: .zero))
        careful.setStreamLimit(1)
        #expect(careful.takesStream(at: .zero))
    }

    @Test func `an answered request is taken once and leaves its stream open`() {
        var connection = connection(requests: 2)
        #expect(connection.answered(1, at: .zero)?.submission.id == 2)
        #expect(connection.answered(1, at: .zero) == nil)
        #expect(connection.hasAnswered && connection.underWay == 1 && connection.streams == 2)
        #expect(connection.end(1, isRefused: false, at: .zero) == nil)
        #expect(connection.streams == 1)
    }

    @Test func `a stream that ends without an answer gives its request back`() {
        var connection = connection(requests: 1)
        #expect(connection.end(0, isRefused: false, at: .zero)?.submission.id == 1)
        #expect(connection.underWay == 0 && connection.streams == 0 && !connection.hasAnswered)
    }

    @Test func `an abandoned request keeps its stream and ignores its answer`() {
        var connection = connection(requests: 1, streamLimit: 1)
        #expect(connection.abandon(0)?.submission.id == 1)
        #expect(connection.abandon(0) == nil)
        connection.head(0, ResponseHead(status: 200))
        #expect(connection.answered(0, at: .zero) == nil)
        #expect(!connection.takesStream(at: .zero))
        _ = connection.end(0, isRefused: false, at: .zero)
        #expect(connection.takesStream(at: .zero))
    }

    @Test func `heads and bodies of unknown slots are ignored`() {
        var connection = connection(requests: 1)
        connection.head(7, ResponseHead(status: 200))
        [UInt8](repeating: 1, count: 3).withUnsafeBytes { connection.body(7, $0) }
        #expect(connection.answered(7, at: .zero) == nil && connection.abandon(-1) == nil)
    }

    @Test func `head and body make the answer`() {
        var connection = connection(requests: 1)
        connection.head(0, ResponseHead(status: 410))
        for part in [#"{"reason":"#, #""Unregistered"}"#] {
            Array(part.utf8).withUnsafeBytes { connection.body(0, $0) }
        }
        #expect(
            connection.answered(0, at: .zero)?.outcome
                == .refused(Refusal(.unregistered, apnsID: NotificationID(known: ""))))
    }

    // MARK: Refused streams

    @Test func `after a refused stream no more are opened than were left`() {
        var connection = connection(requests: 10)
        _ = connection.end(9, isRefused: true, at: .zero)
        #expect(!connection.takesStream(at: .zero))
        _ = connection.end(8, isRefused: false, at: .zero)
        #expect(connection.takesStream(at: .zero))
    }

    @Test func `each answer allows one more stream, up to the gateway's limit`() {
        var connection = connection(requests: 4, streamLimit: 5)
        _ = connection.end(3, isRefused: true, at: .zero)  // 3 streams left, so 3 are allowed
        func answerAndCountFree(_ slot: Int) -> Int {
            _ = connection.answered(slot, at: .zero)
            _ = connection.end(slot, isRefused: false, at: .zero)
            var copy = connection
            var free = 0
            while copy.takesStream(at: .zero) {
                copy.start(InFlightRequest(submission: Submission(90 + free)), slot: 20 + free)
                free += 1
            }
            return free
        }
        #expect(answerAndCountFree(0) == 2)  // 4 allowed, 2 open
        #expect(answerAndCountFree(1) == 4)  // no limit but the gateway's 5, 1 open
    }

    @Test func `a connection that refuses its only stream pauses for 100 ms`() {
        var connection = connection(requests: 1)
        _ = connection.end(0, isRefused: true, at: .zero)
        #expect(!connection.takesStream(at: .zero + .milliseconds(99)))
        #expect(connection.takesStream(at: .zero + .milliseconds(100)))
    }

    @Test func `streams above the last one of a GOAWAY set no limit`() {
        var connection = connection(requests: 1)
        connection.drain(reason: "Shutdown")
        #expect(connection.end(0, isRefused: true, at: .zero)?.submission.id == 1)
        #expect(connection.certificateRefusal == nil)
    }

    @Test(arguments: ["BadCertificate", "BadCertificateEnvironment"])
    func `the refusal of the certificate is kept`(reason: String) {
        var connection = connection(requests: 1)
        connection.drain(reason: reason)
        #expect(connection.certificateRefusal == reason)
        #expect(connection.failure("reset").contains("\(reason); check the client certificate"))
    }

    @Test func `a request that was abandoned, or has its head, counts as no refusal`() {
        var connection = connection(requests: 3)
        _ = connection.abandon(0)
        connection.head(1, ResponseHead(status: 200))
        #expect(connection.end(0, isRefused: true, at: .zero) == nil)
        #expect(connection.end(1, isRefused: true, at: .zero)?.hasHead == true)
        #expect(connection.takesStream(at: .zero))
        _ = connection.end(2, isRefused: true, at: .zero)
        #expect(!connection.takesStream(at: .zero))
    }

    // MARK: Steadiness

    @Test func `answers for 10 s prove a connection, as does one answer and a life of 30 s`() {
        var connection = connection(requests: 3)
        _ = connection.answered(0, at: .zero + .seconds(11))
        #expect(!connection.isSteady && !connection.wasSteady(at: .zero + .seconds(29)))
        #expect(connection.wasSteady(at: .zero + .seconds(30)))
        _ = connection.answered(1, at: .zero + .seconds(20))
        #expect(!connection.isSteady)
        _ = connection.answered(2, at: .zero + .seconds(21))
        #expect(connection.isSteady && connection.wasSteady(at: .zero + .seconds(21)))
        #expect(!self.connection().wasSteady(at: .zero + .seconds(1000)))
    }

    @Test func `a connection is starting until an answer and a higher stream limit, but not longer than a second`() {
        var connection = ProviderConnection(at: .zero)
        #expect(connection.isStarting(at: .zero + .seconds(5)))
        connection.open(at: .zero + .seconds(5))
        #expect(connection.isStarting(at: .zero + .milliseconds(5999)))
        #expect(!connection.isStarting(at: .zero + .seconds(6)))
        connection.start(InFlightRequest(submission: Submission(1)), slot: 0)
        _ = connection.answered(0, at: .zero + .seconds(5))
        #expect(connection.isStarting(at: .zero + .seconds(5)), "the limit is still one stream")
        connection.setStreamLimit(1000)
        #expect(!connection.isStarting(at: .zero + .seconds(5)))
    }

    // MARK: Lookups

    @Test func `in-flight requests are listed oldest first`() {
        var connection = ProviderConnection(at: .zero)
        for (slot, number) in [3, 1, 2].enumerated() {
            connection.start(InFlightRequest(submission: Submission(number)), slot: slot)
        }
        #expect(connection.inFlight.map(\.0) == [1, 2, 0])
        // The numbers of two bulk sends say nothing about each other.
        connection.start(InFlightRequest(submission: Submission(1, submitted: .zero + .seconds(1))), slot: 3)
        #expect(connection.inFlight.map(\.0) == [1, 2, 0, 3])
    }

    // MARK: Health

    @Test func `silence is followed by a PING, and silence after it by the end`() {
        var connection = connection(requests: 1)
        #expect(check(connection, after: 14) == .nothing)
        #expect(check(connection, after: 15) == .ping)
        connection.pinged(at: .zero + .seconds(15))
        #expect(check(connection, after: 24) == .nothing)
        #expect(check(connection, after: 25) == .abort)
        connection.heard(at: .zero + .seconds(24))
        #expect(check(connection, after: 38) == .nothing)
        #expect(check(connection, after: 39) == .ping)
    }

    @Test func `what this side did after the last read answers no PING`() {
        var connection = connection(requests: 1)
        connection.pinged(at: .zero + .seconds(15))
        // A reset at the deadline of a request comes as an event too, with the time of the last read.
        connection.heard(at: .zero)
        #expect(check(connection, after: 24) == .nothing)
        #expect(check(connection, after: 25) == .abort)
    }

    @Test func `an open connection that has no SETTINGS yet is not idle`() {
        let connection = connection(streamLimit: nil)
        #expect(check(connection, after: 14) == .nothing)
        #expect(check(connection, after: 15) == .ping)
    }

    @Test func `what keeps streams from being opened has a name`() {
        var connection = ProviderConnection(at: .zero, initialStreamLimit: 0)
        connection.open(at: .zero)
        #expect(connection.obstacle == "the gateway has sent no SETTINGS")
        connection.setStreamLimit(0)
        #expect(connection.obstacle == "the gateway allows no stream at all")
        connection.setStreamLimit(1)
        #expect(connection.obstacle == nil)
        connection.start(InFlightRequest(submission: Submission(1)), slot: 0)
        _ = connection.end(0, isRefused: true, at: .zero)
        #expect(connection.obstacle == "the gateway refuses streams (REFUSED_STREAM)")
    }

    @Test func `an idle connection gets a PING each hour`() {
        var connection = connection()
        #expect(check(connection, after: 3599) == .nothing)
        #expect(check(connection, after: 3600) == .ping)
        connection.pinged(at: .zero + .seconds(3600))
        #expect(check(connection, after: 3610) == .abort)
        connection.heard(at: .zero + .seconds(3601))
        #expect(check(connection, after: 7200) == .nothing)
        #expect(check(connection, after: 7201) == .ping)
    }

    @Test func `a stream on a connection that was silent for long gets a PING at once`() {
        var connection = connection()
        #expect(check(connection, after: 100) == .nothing)
        connection.start(InFlightRequest(submission: Submission(1)), slot: 0)
        #expect(check(connection, after: 100) == .ping)
    }

    @Test func `a connection without streams is closed after the idle time, where there is one`() {
        var limits = Self.limits
        limits.idleTimeout = .seconds(600)
        var connection = connection(requests: 1)
        func check(after seconds: Int64) -> ProviderConnection.HealthCheck {
            connection.healthCheck(at: .zero + .seconds(seconds), isClosing: false, limits: limits)
        }
        connection.heard(at: .zero + .seconds(995))
        #expect(check(after: 1000) == .nothing)
        _ = connection.end(0, isRefused: false, at: .zero + .seconds(1000))
        #expect(check(after: 1599) == .nothing)
        #expect(check(after: 1600) == .close)
        connection.start(InFlightRequest(submission: Submission(2)), slot: 0)
        #expect(check(after: 1600) == .ping)
    }

    @Test func `a connection is closed when it is drained or the provider closes, and no stream is open`() {
        var connection = connection(requests: 1)
        #expect(check(connection, after: 1, isClosing: true) == .nothing)
        connection.drain()
        #expect(check(connection, after: 1) == .nothing)
        _ = connection.end(0, isRefused: false, at: .zero)
        #expect(check(connection, after: 1) == .close)
        #expect(check(self.connection(), after: 1, isClosing: true) == .close)
        #expect(check(self.connection(), after: 1) == .nothing)
    }

    @Test func `a connection that is still connecting has no PING and ends with the provider`() {
        let connection = ProviderConnection(at: .zero)
        #expect(check(connection, after: 1000) == .nothing)
        #expect(check(connection, after: 0, isClosing: true) == .close)
    }
}
