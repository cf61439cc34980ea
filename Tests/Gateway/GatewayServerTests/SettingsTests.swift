import APNSModel
import GatewayCore
import GatewayServer
import GatewayTestSupport
import Testing

@testable import GatewayTesting

/// How the gateway behaves, changed while it runs.
@Suite(.timeLimit(.minutes(10)))
struct SettingsTests {

    @Test func `a setting counts from the next request on, on connections that are open as well`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let accepted = try await gateway.push(to: "ab12")
            #expect(accepted.isAccepted)
            try await gateway.callControl("PATCH", "/api/settings", #"{"availability":"overloaded"}"#)
            let refused = try await gateway.push(to: "ab12")
            #expect(refused.reason == .serviceUnavailable)
            try await gateway.callControl("PATCH", "/api/settings", #"{"availability":"serving"}"#)
            let again = try await gateway.push(to: "ab12")
            #expect(again.isAccepted)
        }
    }

    @Test func `a budget that is changed counts at once, also for what is held already`() async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            try await gateway.callControl("PATCH", "/api/settings", #"{"budgets":{"silent":"1/1h"}}"#)
            for _ in 1...3 { _ = try await gateway.push(to: "ab12") }
            #expect(gateway.deliveries(to: "ab12").count == 1, "the newest of the others is held")
            try await gateway.callControl("PATCH", "/api/settings", #"{"budgets":{"complication":"1/1h"}}"#)
            #expect(gateway.deliveries(to: "ab12").count == 1)
            try await gateway.callControl("PATCH", "/api/settings", #"{"budgets":{"silent":"unlimited"}}"#)
            #expect(gateway.deliveries(to: "ab12").count == 2)
            _ = try await gateway.push(to: "ab12")
            #expect(gateway.deliveries(to: "ab12").count == 3)
        }
    }

    @Test func `a test answers contested questions from the start, and later`() async throws {
        try await withGateway(device: "ab12", contested: ["malformed-json": "refuse"]) { gateway in
            var request = ReasonRequest()
            request.body = "{"
            let refused = try await gateway.answer(to: request)
            #expect(refused == #"400 {"reason":"PayloadEmpty"}"#)
            try gateway.setContested("malformed-json", to: "accept")
            let accepted = try await gateway.answer(to: request)
            #expect(accepted == "200")
            let fault = #expect(throws: TestGatewayError.self) { try gateway.setContested("nothing", to: "1") }
            #expect(fault?.detail.contains("malformed-json") == true)
        }
        await #expect(throws: TestGatewayError.self) {
            try await withGateway(contested: ["malformed-json": "perhaps"]) { _ in }
        }
    }

    @Test func `an idle connection can get a response`() async throws {
        try await withGateway(device: "ab12", contested: ["idle-timeout-answer": "response"]) { gateway in
            gateway.running.changeSettings { $0.idleTimeout = 1 }
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            let fields = ReasonRequest().fields(try gateway.signer.authorization)
            // The gateway looks at its connections once a second: before that it has nothing against the request.
            var answers: [String] = []
            for stream in stride(from: Int32(1), to: 100_000, by: 2) where answers.isEmpty {
                // Takes longer than the connection may be silent.
                _ = try await gateway.control.call("GET", "/health")
                try await sender.submit(fields, body: silent)
                let (answer, _) = await sender.answer(on: stream, &events)
                if answer.headers.first != ":status: 200" { answers.append(answer.body) }
            }
            #expect(answers == [#"{"reason":"IdleTimeout"}"#])
            try await sender.close()
        }
    }

    @Test func `retry-after is on the wire when it is asked for`() async throws {
        try await withGateway(device: "ab12", contested: ["retry-after": "on"]) { gateway in
            gateway.running.changeSettings { $0.availability = .overloaded }
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            try await sender.submit(ReasonRequest().fields(try gateway.signer.authorization), body: silent)
            let (answer, _) = await sender.answer(on: 1, &events)
            #expect(answer.headers.first == ":status: 503" && answer.headers.last == "retry-after: 900")
            try await sender.close()
        }
    }

    @Test func `the update rate and the age of provider tokens go by the gateway's clock`() async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            var stream: Int32 = -1
            func send(_ signer: ReasonSigner) async throws -> String {
                stream += 2
                try await sender.submit(ReasonRequest().fields(try signer.authorization), body: silent)
                let (answer, _) = await sender.answer(on: stream, &events)
                return answer.body.isEmpty ? "accepted" : answer.body
            }
            // All signed at the start, so that the times of signing say nothing about when each was first used.
            let (first, second) = (gateway.signer, gateway.signer)
            let authorization = try first.authorization
            func again() async throws -> String {
                stream += 2
                try await sender.submit(ReasonRequest().fields(authorization), body: silent)
                let (answer, _) = await sender.answer(on: stream, &events)
                return answer.body.isEmpty ? "accepted" : answer.body
            }
            #expect(try await again() == "accepted")
            gateway.advance(by: .seconds(20 * 60 - 1))
            #expect(try await send(second) == #"{"reason":"TooManyProviderTokenUpdates"}"#)
            gateway.advance(by: .seconds(1))
            #expect(try await send(second) == "accepted")
            gateway.advance(by: .seconds(40 * 60))
            #expect(try await send(second) == "accepted", "signed anew, so another one")
            #expect(try await again() == #"{"reason":"TooManyProviderTokenUpdates"}"#)
            gateway.advance(by: .seconds(1))
            #expect(try await again() == #"{"reason":"ExpiredProviderToken"}"#)
            var ahead = gateway.signer
            ahead.issuedAt += 3601
            #expect(try await send(ahead) == #"{"reason":"InvalidProviderToken"}"#)
            try await sender.close()
        }
    }
}
