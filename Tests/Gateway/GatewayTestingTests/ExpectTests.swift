import APNSModel
import APNSPayload
import APNSProvider
import Foundation
import GatewayTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ExpectTests {
    private static let hello = #"{"aps":{"alert":"Hello","badge":2},"id":7}"#

    @discardableResult
    private static func send(
        _ payload: String, to device: String = "ab12", _ gateway: TestGateway
    ) async throws -> Reply {
        var notification = try gateway.notification(to: device, payload: payload)
        notification.pushType = .alert
        notification.priority = .immediate
        return try await gateway.provider.send(notification)
    }

    @Test func `what came is expected by any of its fields`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await ExpectTests.send(ExpectTests.hello, gateway)
            await gateway.expect(.sent(), count: .once)
            await gateway.expect(
                .accepted(to: "AB12", topic: "com.example.agent", pushType: .alert), count: .exactly(1))
            await gateway.expect(.delivered(priority: .immediate, payload: ["aps": ["badge": 2], "id": 7]))
            await gateway.expect(.refused(), count: .never)
            await gateway.expect(.sent(pushType: .background), count: .atMost(0))
        }
    }

    @Test func `a refusal is expected with its reason`() async throws {
        try await withGateway { gateway in
            try await ExpectTests.send(ExpectTests.hello, gateway)
            await gateway.expect(.refused(.badDeviceToken, to: "ab12"), count: .once)
            #expect(await !gateway.check(.refused(.unregistered), within: .zero).isMet)
        }
    }

    @Test func `it waits for what comes later, and the wait ends when that is there`() async throws {
        try await withGateway(device: "ab12") { gateway in
            async let isMet = gateway.expect(.sent(), count: .exactly(20), within: .seconds(300))
            for number in 0..<20 { try await ExpectTests.send("{\"aps\":{\"badge\":\(number)}}", gateway) }
            #expect(await isMet)
        }
    }

    @Test func `what is delivered later than it is sent is waited for as well`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try gateway.setOnline(false, device: "ab12")
            try await ExpectTests.send(ExpectTests.hello, gateway)
            async let isMet = gateway.expect(.delivered(to: "ab12"), within: .seconds(300))
            try gateway.setOnline(true, device: "ab12")
            #expect(await isMet)
        }
    }

    @Test func `one too many ends the wait at once`() async throws {
        try await withGateway(device: "ab12") { gateway in
            async let result = gateway.check(.sent(), count: .atMost(1), within: .seconds(300))
            for _ in 0..<2 { try await ExpectTests.send(ExpectTests.hello, gateway) }
            let broken = await result
            #expect(!broken.isMet && broken.matched == 2)
        }
    }

    @Test func `an issue is at the line of the expectation and shows the difference`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await ExpectTests.send(ExpectTests.hello, gateway)
            let line = #line + 2
            await withKnownIssue {
                await gateway.expect(
                    .sent(priority: .powerConsiderate, payload: ["aps": ["alert": "Hi"]]), within: .zero)
            } matching: { issue in
                issue.sourceLocation?.line == line && issue.sourceLocation?.fileID == #fileID
                    && issue.comments.contains { comment in
                        comment.rawValue.contains("apns-priority: wanted 5, found 10")
                            && comment.rawValue.contains(#"payload/aps/alert: wanted "Hi", found "Hello""#)
                    }
            }
        }
    }

    @Test func `an issue of a detached task is recorded too`() async throws {
        try await withGateway { gateway in
            await withKnownIssue {
                await Task { _ = await gateway.expect(.sent(), within: .zero) }.value
            }
        }
    }

    @Test func `the words of a failure are for a person`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let none = await gateway.check(.accepted(topic: "com.example.agent"), count: .once, within: .zero)
            #expect(
                none.description
                    == "wanted exactly 1 accepted notification with apns-topic com.example.agent; the gateway got 0 of 0"
            )
            try await ExpectTests.send(ExpectTests.hello, gateway)
            let near = await gateway.check(.sent(payload: ["aps": ["sound": "x"], "id": 7]), within: .zero)
            #expect(near.nearMisses.count == 1)
            let differences = near.nearMisses.first?.differences ?? []
            #expect(differences.map { [$0.field, $0.wanted, $0.found] } == [["payload/aps/sound", #""x""#, "null"]])
            #expect(near.description.hasSuffix(#"payload/aps/sound: wanted "x", found nothing"#))
        }
    }

    @Test func `what is required comes back, and is an error where it did not come`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await ExpectTests.send(ExpectTests.hello, gateway)
            let found = try await gateway.require(.sent(payload: ["id": 7]), count: .once)
            #expect(found.map(\.pushType) == ["alert"] && found.first?.payload == Array(ExpectTests.hello.utf8))
            let error = await #expect(throws: ExpectationNotMet.self) {
                try await gateway.require(.sent(payload: ["id": 8]), within: .zero)
            }
            #expect(error?.description.contains("payload/id: wanted 8, found 7") == true)
        }
    }

    @Test func `no failure shows a whole device token`() async throws {
        let device = String(repeating: "ab", count: 32)
        try await withGateway { gateway in
            let result = await gateway.check(.sent(to: device), within: .zero)
            #expect(!result.description.contains(device) && result.description.contains("abab…abab"))
        }
    }
}
