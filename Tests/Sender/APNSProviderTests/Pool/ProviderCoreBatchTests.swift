import APNSModel
import HTTP2Session
import Testing

@testable import APNSProvider

/// The core with the events of a real HTTP/2 session.
struct ProviderCoreBatchTests {
    /// A core with one open connection to a server in memory.
    private final class Bench {
        let pair: SessionPair
        var core = ProviderCore(
            limits: ProviderCore.Limits(),
            reconnection: ReconnectionPolicy(first: .seconds(1), longest: .seconds(60), seed: 1))
        var resolved: [ProviderCore.Resolution] = []
        private var actions: [ProviderCore.Action] = []

        init(
            submissions: Int = 1, settings: [HTTP2Setting] = [.maxConcurrentStreams(100)],
            clientLimits: HTTP2Limits = .client
        ) throws {
            pair = try SessionPair(settings: settings, clientLimits: clientLimits)
            for number in 1...submissions {
                let submission = Submission(number)
                submission.apnsID = "ID-\(number)"
                core.submit(submission)
            }
            core.plan(at: .zero, actions: &actions, resolved: &resolved)
            core.opened(connection: 0, at: .zero)
            try receive()
        }

        /// Writes the queued submissions.
        func fill() throws -> [HTTP2Stream] {
            var streams: [HTTP2Stream] = []
            while let submission = core.next(on: 0, at: .zero, resolved: &resolved) {
                let stream = try pair.request(submission.apnsID)
                core.started(submission, on: 0, slot: Int(stream.slot))
                streams.append(stream)
            }
            try pair.exchange()
            return streams
        }

        @discardableResult
        func receive() throws -> ProviderCore.FollowUp {
            try pair.exchange()
            let limit = pair.client.peerMaxConcurrentStreams
            return pair.events { batch in
                core.received(batch, on: 0, streamLimit: limit, at: .zero, resolved: &resolved)
            }
        }

        /// Milliseconds until the next connect, of 500 or none.
        var wait: Int {
            core.plan(at: .zero, actions: &actions, resolved: &resolved)
            return actions.contains(.open(connection: 1)) ? 0 : 500
        }

        var outcomes: [APNSOutcome] { resolved.map(\.outcome) }
    }

    @Test func `SETTINGS set the stream limit`() throws {
        let bench = try Bench(submissions: 10, settings: [.maxConcurrentStreams(3)])
        #expect(try bench.fill().count == 3)
        try bench.pair.server.updateSettings([.maxConcurrentStreams(5)])
        try bench.receive()
        #expect(try bench.fill().count == 2)
    }

    @Test func `an answer is an outcome, and its stream is free again`() throws {
        let bench = try Bench(submissions: 2, settings: [.maxConcurrentStreams(1)])
        let stream = try bench.fill()[0]
        try bench.pair.respond(stream, status: "200", [("apns-id", "ID-1"), ("apns-unique-id", "U")])
        try bench.receive()
        #expect(bench.outcomes == [.accepted(apnsID: NotificationID(known: "ID-1"), uniqueID: "U")])
        #expect(try bench.fill().count == 1)
    }

    @Test func `a refusal has the reason of its body`() throws {
        let other = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
        let bench = try Bench()
        let stream = try bench.fill()[0]
        try bench.pair.respond(
            stream, status: "410", [("apns-id", other)], body: #"{"reason":"Unregistered","timestamp":5}"#)
        try bench.receive()
        #expect(bench.outcomes == [.refused(Refusal(.unregistered, apnsID: NotificationID(other), timestamp: 5))])
    }

    @Test func `a refused stream is queued again`() throws {
        let bench = try Bench()
        let stream = try bench.fill()[0]
        bench.pair.server.reset(try bench.pair.serverStream(stream), .refusedStream)
        try bench.receive()
        #expect(bench.outcomes.isEmpty && bench.core.queued == 1)
    }

    @Test(arguments: [(HTTP2ErrorCode.internalError, "INTERNAL_ERROR"), (.cancel, "CANCEL")])
    func `any other reset is unknown, with the name of its code`(code: HTTP2ErrorCode, name: String) throws {
        let bench = try Bench()
        let stream = try bench.fill()[0]
        bench.pair.server.reset(try bench.pair.serverStream(stream), code)
        try bench.receive()
        #expect(
            bench.outcomes == [
                .unknown(
                    APNSSendError(
                        .streamReset, "the gateway ended the stream without an answer (\(name))", isSafeToRetry: false))
            ])
        #expect(bench.core.queued == 0)
    }

    @Test func `a GOAWAY gives its reason, and streams above its last one are queued again`() throws {
        let bench = try Bench(submissions: 3)
        let streams = try bench.fill()
        bench.pair.server.goAway(
            lastStreamID: streams[0].id, .noError, debugData: Array(#"{"reason":"Shutdown"}"#.utf8))
        #expect(try bench.receive().goAway == "Shutdown")
        #expect(bench.core.queued == 2 && bench.core.underWay == 1)
        #expect(bench.core.availableConnections(at: .zero).isEmpty)
    }

    @Test func `a GOAWAY without a reason has the name of its code`() throws {
        let bench = try Bench()
        bench.pair.server.goAway(.enhanceYourCalm)
        #expect(try bench.receive().goAway == "ENHANCE_YOUR_CALM")
    }

    @Test(arguments: [(HTTP2ErrorCode.noError, 0), (.enhanceYourCalm, 500)])
    func `after a GOAWAY with an error the next connect waits`(code: HTTP2ErrorCode, atLeast wait: Int) throws {
        let bench = try Bench(submissions: 2)
        _ = try bench.fill()
        bench.pair.server.goAway(lastStreamID: 0, code)
        try bench.receive()
        #expect(bench.wait == wait)
    }

    @Test func `a GOAWAY with another text has its code and the beginning of the text`() throws {
        let bench = try Bench()
        bench.pair.server.goAway(.enhanceYourCalm, debugData: Array("too_many_pings".utf8))
        #expect(try bench.receive().goAway == "ENHANCE_YOUR_CALM, too_many_pings")
        let other = try Bench()
        other.pair.server.goAway(.noError, debugData: Array(repeating: UInt8(ascii: "x"), count: 8000))
        let text = try #require(try other.receive().goAway)
        #expect(text == "NO_ERROR, \(String(repeating: "x", count: 200))… (1024 characters)")
    }

    @Test func `when the connection closes after a GOAWAY, the error has its reason`() throws {
        let bench = try Bench()
        let stream = try bench.fill()[0]
        bench.pair.server.goAway(
            lastStreamID: stream.id, .noError, debugData: Array(#"{"reason":"Shutdown"}"#.utf8))
        try bench.receive()
        bench.core.lost(
            connection: 0, description: "the peer closed the connection", isPermanent: false, at: .zero,
            resolved: &bench.resolved
        ) { _ in true }
        #expect(
            bench.outcomes == [
                .unknown(
                    APNSSendError(
                        .connectionLost,
                        "the gateway sent GOAWAY (Shutdown); the peer closed the connection before the answer came; "
                            + "the notification may have been delivered", isSafeToRetry: false))
            ])
    }

    @Test func `a stream that this side resets is not said to be reset by the gateway`() throws {
        let bench = try Bench()
        let stream = try bench.fill()[0]
        try bench.pair.respond(stream, status: "200", [("Bad-Name", "x")])
        try bench.receive()
        guard case .unknown(let error) = bench.outcomes.first else {
            Issue.record("no unknown outcome")
            return
        }
        #expect(error.code == .streamReset)
        #expect(error.detail.hasPrefix("the answer broke HTTP/2, so its stream was reset here (PROTOCOL_ERROR): "))
        #expect(error.detail.contains("Invalid HTTP header field"))
    }

    @Test func `the seconds of retry-after reach the caller`() throws {
        let bench = try Bench(submissions: 2)
        let streams = try bench.fill()
        try bench.pair.respond(
            streams[0], status: "429", [("retry-after", "30")], body: #"{"reason":"TooManyRequests"}"#)
        try bench.pair.respond(streams[1], status: "503", [("retry-after", "Fri, 31 Dec 1999 23:59:59 GMT")])
        try bench.receive()
        let waits = bench.outcomes.map { outcome in
            if case .refused(let refusal) = outcome { refusal.retryAfter } else { Duration?.none }
        }
        #expect(Set(waits) == [.seconds(30), nil])
    }

    @Test func `an answer that is too long is to be reset, and its status counts`() throws {
        var limits = HTTP2Limits.client
        limits.bodyBytes = 100
        let bench = try Bench(clientLimits: limits)
        let stream = try bench.fill()[0]
        try bench.pair.respond(stream, status: "400", body: String(repeating: "x", count: 200))
        #expect(try bench.receive().tooLong == [stream])
        #expect(bench.outcomes.map(\.name) == ["refused"])  // the status is an answer
    }
}
