import APNSModel
import GatewayTestSupport
import GatewayTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
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
            let samples = lines.filter { !$0.hasPrefix("#") }.map { line in
                let name = line.prefix { $0 != " " && $0 != "{" }
                let suffix = ["_bucket", "_sum", "_count"].first { name.hasSuffix($0) } ?? ""
                return name.dropLast(suffix.count)
            }
            #expect(Set(samples) == Set(names("# TYPE ")))
            #expect(names("# TYPE ") == names("# HELP "))
        }
    }

    @Test func `times and sizes are counted by what became of the request`() async throws {
        try await withGateway(device: "ab12") { gateway in
            for number in 0..<3 { try await gateway.push(to: "ab12", "\(number)") }
            try await gateway.push(to: "ab34")
            let lines = try await gateway.control.call("GET", "/metrics").body.split(separator: "\n").map(String.init)
            func value(_ sample: String) -> Double? {
                lines.first { $0.hasPrefix(sample + " ") }.flatMap { Double($0.dropFirst(sample.count + 1)) }
            }
            let (accepted, refused) =
                (#"outcome="accepted",reason="""#, #"outcome="refused",reason="BadDeviceToken""#)
            for name in ["apns_gateway_answer_seconds", "apns_gateway_payload_bytes"] {
                #expect(value("\(name)_count{\(accepted)}") == 3)
                #expect(value("\(name)_count{\(refused)}") == 1)
                #expect(value("\(name)_bucket{\(accepted),le=\"+Inf\"}") == 3)
            }
            #expect(value("apns_gateway_payload_bytes_bucket{\(accepted),le=\"128\"}") == 3)
            #expect(value("apns_gateway_payload_bytes_sum{\(accepted)}") == 117)
            #expect(try #require(value("apns_gateway_answer_seconds_sum{\(accepted)}")) > 0)
        }
    }

    @Test func `an answer that a fault rule holds back is timed when it goes`() async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            _ = try await gateway.control.call("POST", "/api/faults", #"{"effect":{"delay":"1h"}}"#)
            async let reply = gateway.push(to: "ab12")
            while gateway.notifications().isEmpty { await Task.yield() }
            func count() async throws -> String? {
                try await gateway.control.call("GET", "/metrics").body.split(separator: "\n").map(String.init).first {
                    $0.hasPrefix(#"apns_gateway_answer_seconds_count{outcome="accepted""#)
                }
            }
            #expect(try await count()?.hasSuffix(" 0") == true)
            while try await count()?.hasSuffix(" 0") == true {
                gateway.advance(by: .seconds(3600))
                await Task.yield()
            }
            #expect(try await reply.isAccepted)
            #expect(try await count()?.hasSuffix(" 1") == true)
        }
    }

    @Test func `counts go on when the journal is emptied, and begin again with a reset`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.push(to: "ab12")
            try await gateway.push(to: "ab34")
            _ = try await gateway.control.call("DELETE", "/api/notifications")
            let counts = try await gateway.control.call("GET", "/api/counts").json
            #expect(counts["total"] as? Int == 2)
            #expect(counts["accepted"] as? Int == 1)
            #expect(counts["refused"] as? [String: Int] == ["BadDeviceToken": 1])
            #expect(counts["unprocessed"] as? Int == 0)
            _ = try await gateway.control.call("POST", "/api/reset")
            #expect(try await gateway.control.call("GET", "/api/counts").json["total"] as? Int == 0)
        }
    }

    @Test func `counts have the last seconds where they are asked for, as far back as the journal goes`() async throws {
        try await withGateway(device: "ab12") { gateway in
            func perSecond(_ query: String) async throws -> [[String: Int]]? {
                try await gateway.control.call("GET", "/api/counts\(query)").json["per-second"] as? [[String: Int]]
            }
            #expect(try await perSecond("") == nil)
            #expect(
                try await perSecond("?seconds=2")
                    == Array(repeating: ["accepted": 0, "refused": 0, "unprocessed": 0], count: 2))
            for number in 0..<3 { try await gateway.push(to: "ab12", "\(number)") }
            try await gateway.push(to: "ab34")
            gateway.advance(by: .seconds(3600))
            let seconds = try #require(try await perSecond("?seconds=600"))
            #expect(seconds.count == 600)
            #expect(seconds.reduce(0) { $0 + ($1["accepted"] ?? 0) } == 3)
            #expect(seconds.reduce(0) { $0 + ($1["refused"] ?? 0) } == 1)
            _ = try await gateway.control.call("DELETE", "/api/notifications")
            #expect(try await perSecond("?seconds=600") == [])
            for query in ["?seconds=0", "?seconds=601", "?seconds=all", "?second=5"] {
                #expect(try await gateway.control.call("GET", "/api/counts\(query)").status == 400, "\(query)")
            }
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
