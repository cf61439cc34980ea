import APNSModel
import GatewayTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MetricsTests {
    @Test func `the metrics are Prometheus text with the counts of the world`() async throws {
        try await withGateway(device: "ab12") { gateway in
            for number in 0..<3 { try await gateway.push(to: "ab12", "\(number)") }
            try await gateway.push(to: "ab34")
            #expect(try await gateway.control.call("DELETE", "/api/notifications").status == 204)
            let answer = try await gateway.control.call("GET", "/metrics")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"]?.hasPrefix("text/plain") == true)
            let lines = answer.body.split(separator: "\n")
            #expect(lines.contains(#"apns_gateway_notifications_total{outcome="accepted",reason=""} 3"#))
            #expect(lines.contains(#"apns_gateway_notifications_total{outcome="refused",reason="BadDeviceToken"} 1"#))
            #expect(lines.contains(#"apns_gateway_notifications_total{outcome="unprocessed",reason=""} 0"#))
            #expect(lines.contains("apns_gateway_unanswered_total 0"))
            #expect(answer.body.last == "\n")
        }
    }

    @Test func `each sample is of a family with help and type, and each family has samples`() async throws {
        try await withGateway { gateway in
            let lines = try await gateway.control.call("GET", "/metrics").body.split(separator: "\n")
            func names(_ prefix: String) -> [Substring] {
                lines.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count).prefix { $0 != " " } }
            }
            let samples = lines.filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != " " && $0 != "{" } }
            #expect(Set(samples) == Set(names("# TYPE ")))
            #expect(names("# TYPE ") == names("# HELP "))
        }
    }

    #if os(Linux)
        @Test func `the resident memory is that of a process`() async throws {
            try await withGateway { gateway in
                let lines = try await gateway.control.call("GET", "/metrics").body.split(separator: "\n")
                let line = try #require(lines.first { $0.hasPrefix("process_resident_memory_bytes ") })
                let bytes = try #require(line.split(separator: " ").last.flatMap { Int($0) })
                #expect((1 << 20...1 << 40).contains(bytes))
            }
        }
    #endif

    @Test func `only GET asks for them`() async throws {
        try await withGateway { gateway in
            let answer = try await gateway.control.call("POST", "/metrics")
            #expect(answer.status == 405)
        }
    }
}
