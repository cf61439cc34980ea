import APNSModel
import DevelopmentCredentials
import GatewayCore
import GatewayServer
import GatewayTestSupport
import GatewayTesting
import HTTP2Session
import TLSSession
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WireFormTests {
    private static let id = "9d1f0a52-1111-4222-8333-abcdefabcdef"

    @Test func `an accepted notification is answered with three headers and no body`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            try await sender.submit(try gateway.fields(to: "ab12", id: Self.id), body: silent)
            let (answer, _) = await sender.answer(on: 1, &events)
            #expect(answer.headers.count == 3)
            #expect(answer.headers.prefix(2) == [":status: 200", "apns-id: \(Self.id)"])
            let uniqueID = try #require(gateway.deliveries(to: "ab12").first?.uniqueID)
            #expect(answer.headers.last == "apns-unique-id: \(uniqueID)")
            #expect(answer.body.isEmpty)
            try await sender.close()
        }
    }

    @Test func `streams rise from 1 to 1000 before the first answer`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            #expect(await events.next() == .opened)
            #expect(await events.next() == .settings(streams: 1))
            try await sender.submit(try gateway.fields(to: "ab12"), body: silent)
            let (answer, before) = await sender.answer(on: 1, &events)
            #expect(before == [.settings(streams: 1000)])
            #expect(answer.headers.first == ":status: 200")
            try await sender.close()
        }
    }

    @Test func `a refused notification is answered with two headers and compact JSON`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            try await sender.submit(try gateway.fields(to: "ab34", id: Self.id), body: silent)
            let (answer, _) = await sender.answer(on: 1, &events)
            #expect(answer.headers == [":status: 400", "apns-id: \(Self.id)"])
            #expect(answer.body == #"{"reason":"BadDeviceToken"}"#)
            try await sender.close()
        }
    }

    @Test func `the scheme before a provider token may be written in any way, and makes no other token of it`()
        async throws
    {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            let fields = try gateway.fields(to: "ab12")
            let token = try #require(fields.first { "\($0.0)" == "authorization" }).1.dropFirst("bearer ".count)
            for (number, value) in ["bearer \(token)", "Bearer \(token)", "BEARER  \(token)"].enumerated() {
                let changed = fields.map { "\($0.0)" == "authorization" ? ($0.0, value) : $0 }
                try await sender.submit(changed, body: silent)
                let answer = await sender.answer(on: Int32(2 * number + 1), &events).answer
                #expect(answer.headers.first == ":status: 200", "\(answer)")
            }
            try await sender.close()
        }
    }

    @Test(arguments: ["bearer ", "bearer", " ", ""])
    func `an authorization without a provider token is answered, and stands in the journal`(value: String) async throws
    {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            let fields = try gateway.fields(to: "ab12", id: Self.id).map {
                "\($0.0)" == "authorization" ? ($0.0, value) : $0
            }
            try await sender.submit(fields, body: silent)
            let (answer, _) = await sender.answer(on: 1, &events)
            #expect(answer.headers == [":status: 403", "apns-id: \(Self.id)"])
            #expect(answer.body == #"{"reason":"MissingProviderToken"}"#)
            #expect(gateway.world { $0.journalCount } == 1)
            try await sender.close()
        }
    }

    @Test func `HEAD is answered without a body`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            let fields = try gateway.fields(to: "ab12", id: Self.id).map {
                "\($0.0)" == ":method" ? ($0.0, "HEAD") : $0
            }
            try await sender.submit(fields, body: "")
            let (answer, _) = await sender.answer(on: 1, &events)
            #expect(answer == RawSender.Answer(headers: [":status: 405", "apns-id: \(Self.id)"]))
            try await sender.close()
        }
    }

    @Test(
        arguments: [
            (["content-type", "content-type"], "content-type"), (["a", "b", "cookie", "a", "b", "cookie"], "a, b"),
            (["cookie", "cookie"], nil), (["user-agent", "accept", "te"], nil),
        ] as [([StaticString], String?)])
    func `any header but cookie comes once`(names: [StaticString], repeated: String?) async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            let fields = try gateway.fields(to: "ab12")
            try await sender.submit(fields + names.map { ($0, "trailers") }, body: silent)
            let (answer, _) = await sender.answer(on: 1, &events)
            #expect(answer.body == (repeated == nil ? "" : #"{"reason":"DuplicateHeaders"}"#))
            let journal = try await gateway.control.call("GET", "/api/notifications").body
            if let repeated { #expect(journal.contains("more than once: \(repeated);"), "\(journal)") }
            try await sender.close()
        }
    }

    @Test func `an uninstalled app is answered with 410 and milliseconds`() async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            try gateway.uninstall(device: "ab12")
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            try await sender.submit(try gateway.fields(to: "ab12", id: Self.id), body: silent)
            let (answer, _) = await sender.answer(on: 1, &events)
            #expect(answer.headers == [":status: 410", "apns-id: \(Self.id)"])
            let now = gateway.world { $0.now(real: 0) }
            #expect(answer.body == #"{"reason":"Unregistered","timestamp":\#(now)}"#)
            try await sender.close()
        }
    }

    @Test func `production sends no apns-unique-id`() async throws {
        try await withGateway(device: "ab12", environment: .production) { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            try await sender.submit(try gateway.fields(to: "ab12", id: Self.id), body: silent)
            let (answer, _) = await sender.answer(on: 1, &events)
            #expect(answer.headers == [":status: 200", "apns-id: \(Self.id)"])
            try await sender.close()
        }
    }

    @Test func `a body beyond every limit is refused while it is still coming`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            let fields = try gateway.fields(to: "ab12", id: Self.id)
            try await sender.submit(fields, body: String(repeating: "x", count: 300_000))
            let (answer, _) = await sender.answer(on: 1, &events)
            #expect(answer.headers == [":status: 413", "apns-id: \(Self.id)"])
            #expect(answer.body == #"{"reason":"PayloadTooLarge"}"#)
            try await sender.submit(fields, body: silent)
            let (second, _) = await sender.answer(on: 3, &events)
            #expect(second.headers.first == ":status: 200")
            try await sender.close()
        }
    }

    @Test func `an untrusted client certificate is answered with GOAWAY and its reason`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let validity = CertificateValidity(days: 1, from: 1_790_000_000)
            let stranger = try DevelopmentAuthority(validity: validity)
            let identity = try stranger.client(
                PushCertificateRequest(bundleID: "com.example.agent"), validity: validity)
            let sender = try await RawSender(port: gateway.running.port, caPEM: gateway.caPEM, identity: identity)
            let events = await sender.observed.reduce(into: []) { $0.append($1) }
            #expect(
                events.contains(
                    .goAway(lastStreamID: 0, .noError, #"{"reason":"BadCertificate"}"#)))
            #expect(events.last == .disconnected)
        }
    }

    @Test func `a certificate for the other environment says so in GOAWAY`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.certified { $0.allowsSandbox = false }
            try await sender.submit(try gateway.fields(to: "ab12"), body: silent)
            let events = await sender.observed.reduce(into: []) { $0.append($1) }
            #expect(
                events.contains(
                    .goAway(lastStreamID: 0, .noError, #"{"reason":"BadCertificateEnvironment"}"#)))
            #expect(gateway.notifications().isEmpty)
        }
    }

    @Test func `a sender with a certificate has 1000 streams from the start and needs no provider token`() async throws
    {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.certified { _ in }
            var events = sender.observed.makeAsyncIterator()
            #expect(await events.next() == .opened)
            #expect(await events.next() == .settings(streams: 1000))
            let fields = try gateway.fields(to: "ab12").filter { "\($0.0)" != "authorization" }
            try await sender.submit(fields, body: silent)
            let (answer, before) = await sender.answer(on: 1, &events)
            #expect(before.isEmpty)
            #expect(answer.headers.first == ":status: 200")
            try await sender.close()
        }
    }

    @Test func `a stop says GOAWAY Shutdown and closes`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            try await sender.submit(try gateway.fields(to: "ab12"), body: silent)
            _ = await sender.answer(on: 1, &events)
            await gateway.running.shutdown()
            var rest: [RawSender.Observed] = []
            while let event = await events.next() { rest.append(event) }
            #expect(rest.contains(.goAway(lastStreamID: 1, .noError, #"{"reason":"Shutdown"}"#)))
            #expect(rest.last == .disconnected)
        }
    }

    @Test func `the answers of one batch go to their own streams`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            let fields = try gateway.fields(to: "ab12")
            try await sender.submit(fields, body: silent)
            _ = await sender.answer(on: 1, &events)
            var heads: [Int32: [String]] = [:]
            for number in 0..<50 {
                let id = "9d1f0a52-1111-4222-8333-0000000000\(number + 10)"
                let device = number.isMultiple(of: 2) ? "ab12" : "ab34"
                try await sender.submit(gateway.fields(like: fields, to: device, id: id), body: silent)
            }
            while heads.count < 50, let event = await events.next() {
                if case .head(let stream, let headers) = event { heads[stream] = Array(headers.prefix(2)) }
            }
            for number in 0..<50 {
                let status = number.isMultiple(of: 2) ? 200 : 400
                #expect(
                    heads[Int32(3 + 2 * number)] == [
                        ":status: \(status)", "apns-id: 9d1f0a52-1111-4222-8333-0000000000\(number + 10)",
                    ])
            }
            try await sender.close()
        }
    }
}

extension TestGateway {
    /// A connection with a client certificate of the gateway's authority.
    fileprivate func certified(_ change: (inout PushCertificateRequest) -> Void) async throws -> RawSender {
        var request = PushCertificateRequest(bundleID: topic.value)
        change(&request)
        let identity = try running.credentials.authority.client(
            request, validity: CertificateValidity(days: 3650, from: 1_790_000_000))
        return try await RawSender(port: running.port, caPEM: caPEM, identity: identity)
    }
}
