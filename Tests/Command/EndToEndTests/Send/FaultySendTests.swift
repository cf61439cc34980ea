import Foundation
import Testing

/// `apns send` through every kind of fault at once: what it says has to be what the gateway's journal says.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FaultySendTests {
    private static let count = 6000

    /// The first one that does not spare a request hits it.
    private static let rules =
        [
            #"{"effect":{"max-concurrent-streams":2},"probability":0.002,"count":5}"#,
            #"{"effect":{"max-concurrent-streams":1000},"probability":0.02}"#,
            #"{"effect":{"delay":{"uniform":["1ms","40ms"]}},"probability":0.02,"count":200}"#,
            #"{"effect":{"refuse":{"reason":"BadDeviceToken"}},"probability":0.004,"count":15}"#,
            #"{"effect":{"silence":true},"probability":0.001,"count":3}"#,
            #"{"effect":{"silence":"after"},"probability":0.001,"count":3}"#,
            #"{"effect":{"slow-body":{"uniform":["1ms","40ms"]}},"probability":0.002,"count":20}"#,
            #"{"effect":{"lose":true},"probability":0.002,"count":10}"#,
            #"{"effect":{"duplicate":3},"probability":0.002,"count":10}"#,
            #"{"effect":{"offline":"10ms"},"probability":0.002,"count":10}"#,
            #"{"effect":{"window":{"bytes":0,"for":"20ms"}},"probability":0.0006,"count":2}"#,
            #"{"effect":{"slow-accept":"20ms"},"probability":0.5,"count":3}"#,
            #"{"effect":{"disconnect":{"reset":true}},"probability":0.0006,"count":1}"#,
            #"{"effect":{"disconnect":{"reset":true,"after":true}},"probability":0.0006,"count":1}"#,
            #"{"effect":{"disconnect":true},"probability":0.0006,"count":1}"#,
            #"{"effect":{"disconnect":"after"},"probability":0.0006,"count":1}"#,
        ]
        + [2, 7, 8, 11].map { code in
            #"{"effect":{"reset":{"code":\#(code)}},"probability":0.002,"count":8}"#
        }
        // REFUSED_STREAM (7) says that nothing was processed, which would be a lie here.
        + [2, 8, 11].map { code in
            #"{"effect":{"reset":{"code":\#(code),"after":true}},"probability":0.002,"count":8}"#
        }
        + ["this", "previous", "all"].flatMap { last in
            ["false", "true"].map { flag in
                #"{"effect":{"goaway":{"last-stream":"\#(last)","twice":\#(flag),"close":\#(flag)}},"probability":0.0006,"count":1}"#
            }
        }

    @Test(arguments: [1, 2]) func `every notification has one result, and it is what the gateway did`(
        seed: Int
    ) async throws {
        try await withLocalGateway(["--retain", "30000", "--seed", "\(seed)"]) { gateway, command in
            for rule in FaultySendTests.rules {
                #expect(try await gateway.call("POST", "/api/faults", rule).status == 201, "\(rule)")
            }
            let tokens = (0..<FaultySendTests.count).map { String(format: "%064x", $0) }
            let batch = tokens.map { #"{"token":"\#($0)","payload":{"aps":{"alert":"Hi"}}}"# + "\n" }.joined()
            try command.write(batch, to: "batch.ndjson")
            let result = try await command.run(
                ["send", "--batch", "batch.ndjson", "--connections", "2", "--timeout", "6", "--json"]
                    + gateway.options)
            #expect(result.status == 1, "\(result.errors.suffix(500))")

            let lines = try result.lines.map { try JSONText.object($0) }
            #expect(lines.count == tokens.count)
            #expect(Set(lines.compactMap { $0["token"] as? String }) == Set(tokens))
            let sent = FaultySendTests.tokens(lines)
            let journal = try await gateway.notifications()
            let judged = FaultySendTests.tokens(journal)
            let (unknown, unsent) = (sent["unknown", default: []], sent["unsent", default: []])

            // None is delivered twice, although those that were surely not processed were sent again.
            let acceptances = journal.count { $0["outcome"] as? String == "accepted" }
            #expect(judged["accepted", default: []].count == acceptances)
            for outcome in ["accepted", "refused"] {
                let (there, here) = (judged[outcome, default: []], sent[outcome, default: []])
                #expect(!here.isEmpty)
                #expect(here.isSubset(of: there))
                #expect(there.subtracting(here).isSubset(of: unknown))
                #expect(there.isDisjoint(with: unsent))
            }
            #expect(!unknown.isEmpty)

            let unanswered = journal.filter {
                let why = ($0["fault"] as? [String: Any])?["why"] as? String
                return $0["outcome"] as? String == "accepted" && why?.hasPrefix("it was judged") == true
            }
            #expect(!unanswered.isEmpty)
            #expect(FaultySendTests.tokens(unanswered)["accepted", default: []].isSubset(of: unknown))
            let metrics = try await gateway.call("GET", "/metrics").body.split(separator: "\n")
            let count = #"apns_gateway_notifications_total{outcome="accepted",reason=""} \#(acceptances)"#
            #expect(metrics.contains { $0 == count })
            #expect(metrics.contains { $0 == "apns_gateway_unanswered_total \(unanswered.count)" })
        }
    }

    /// The device tokens by outcome.
    private static func tokens(_ lines: [[String: Any]]) -> [String: Set<String>] {
        var tokens: [String: Set<String>] = [:]
        for line in lines {
            guard let outcome = line["outcome"] as? String, let token = line["token"] as? String else { continue }
            tokens[outcome, default: []].insert(token)
        }
        return tokens
    }
}
