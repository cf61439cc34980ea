import GatewayTestSupport
import GatewayTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ControlAPITests {
    @Test func `health is ok and the index names the paths`() async throws {
        try await withGateway { gateway in
            let health = try await gateway.control.call("GET", "/health")
            #expect(health.status == 200)
            #expect(health.body == #"{"status":"ok"}"#)
            let index = try await gateway.control.call("GET", "/api")
            #expect(index.status == 200)
            #expect(index.body.contains("/api/notifications"))
        }
    }

    @Test(arguments: ["/health", "/api/devices", "/api/nothing", "/", "/metrics", "/api/events"])
    func `HEAD is answered as GET without the body`(path: String) async throws {
        try await withGateway { gateway in
            let head = try await gateway.control.call("HEAD", path)
            #expect(head.body.isEmpty)
            guard path != "/api/events" else {
                #expect(head.status == 200)
                return #expect(head.headers["content-type"] == "text/event-stream")
            }
            let get = try await gateway.control.call("GET", path)
            #expect(head.status == get.status)
            #expect(head.headers["content-type"] == get.headers["content-type"])
            if path != "/metrics" { #expect(head.headers["content-length"] == "\(get.body.utf8.count)") }
        }
    }

    @Test func `a reset brings back the state at start`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.push(to: "ab12")
            #expect(try await gateway.control.call("POST", "/api/reset").status == 204)
            #expect(try await gateway.control.call("GET", "/api/devices").json["total"] as? Int == 0)
            #expect(try await gateway.control.call("GET", "/api/notifications").json["total"] as? Int == 0)
            #expect(try await gateway.control.call("GET", "/api/devices/ab12").status == 404)
        }
    }

    @Test(
        arguments: [
            ("GET", "/nothing", nil, 404, "GET /api"), ("GET", "/api/nothing", nil, 404, "GET /api"),
            ("GET", "/w/-x/api/devices", nil, 400, "host name"), ("POST", "/health", nil, 405, "GET, HEAD"),
            ("PUT", "/api/devices", nil, 405, "GET, HEAD, POST"),
            ("POST", "/api/devices", "{", 400, "line 1, column 2"),
            ("POST", "/api/devices", "{\n \"topik\":\"a\"}", 400, "line 2, column 2"),
            ("POST", "/api/devices", #"{"Topic":"a"}"#, 400, "did you mean \"topic\"?"),
            ("POST", "/api/devices", #"{"topic":"a","topic":"b"}"#, 400, "twice"),
            ("POST", "/api/devices", "[]", 400, "an array"),
            ("POST", "/api/devices", "{}", 400, "\"topic\" is missing"),
            ("POST", "/api/devices", #"{"topic":7}"#, 400, "must be a string"),
            ("POST", "/api/devices", #"{"topic":"a b"}"#, 400, "not well formed"),
            ("POST", "/api/devices", #"{"topic":"a.b","token":"abc"}"#, 400, "even number"),
            ("POST", "/api/devices", #"{"topic":"a.b","kind":"phone"}"#, 400, "one of app, voip"),
            ("POST", "/api/devices", #"{"topic":"a.b","token":"ab12"}"#, 409, "registered for the topic"),
            ("GET", "/api/devices/xyz", nil, 400, "hexadecimal"),
            ("GET", "/api/devices/ff00", nil, 404, "POST /api/devices"),
            ("PATCH", "/api/devices/ab12", #"{"online":"yes"}"#, 400, "true or false"),
            (
                "POST", "/api/apps", #"{"topic":"a.b","team-id":"ABCDE12345","capabilities":["fly"]}"#, 400,
                "known are broadcast, push"
            ),
            ("PATCH", "/api/devices/ff00", #"{"online":true}"#, 404, "ff00"),
            ("DELETE", "/api/devices/ff00", nil, 404, "ff00"), ("GET", "/api/devices?limit=0", nil, 400, "1 to 1000"),
            ("GET", "/api/devices?environment=test", nil, 400, "sandbox or production"),
            ("GET", "/api/notifications?outcom=x", nil, 400, "known are outcome"),
            ("GET", "/api/notifications?outcome=x", nil, 400, "accepted, refused or unprocessed"),
            ("GET", "/api/notifications?since=x", nil, 400, "RFC 3339"),
            ("GET", "/api/notifications?cursor=x", nil, 400, "next"),
            ("GET", "/api/notifications?q=%zz", nil, 400, "%"),
            ("GET", "/api/notifications?q=a&q=b", nil, 400, "twice"),
            ("GET", "/api/notifications/nope", nil, 404, "journal"), ("PUT", "/api/clock", "{}", 400, "mode"),
            ("PUT", "/api/clock", #"{"mode":"slow"}"#, 400, "real or manual"),
            ("POST", "/api/clock/advance", #"{"by":"5"}"#, 400, "250ms"),
            ("POST", "/api/apps", #"{"topic":"a.b","team-id":"x"}"#, 400, "10 characters"),
            (
                "POST", "/api/keys", #"{"key-id":"ABC123DEFG","team-id":"ABCDE12345","public-key":"x"}"#, 400,
                "public-key"
            ),
        ] as [(String, String, String?, Int, String)])
    func `a request that cannot be is answered with what to do`(
        method: String, path: String, body: String?, status: Int, detail: String
    ) async throws {
        try await withGateway(device: "ab12") { gateway in
            let answer = try await gateway.control.call(method, path, body)
            #expect(answer.status == status)
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(answer.json["status"] as? Int == status)
            #expect(answer.json["title"] is String)
            #expect((answer.json["type"] as? String)?.hasPrefix("urn:apns-toolkit:problem:") == true)
            #expect((answer.json["detail"] as? String)?.contains(detail) == true, "\(answer.body)")
            if status == 405 { #expect(answer.headers["allow"] == detail) }
        }
    }

    @Test(
        arguments: [
            ("/api/devices", #"{"topic":7}"#, "/topic"), ("/api/devices", "{}", "/topic"),
            ("/api/devices", #"{"topic":"a.b","kind":"phone"}"#, "/kind"),
            ("/api/devices", #"{"topic":"a.b","a/b":1}"#, "/a~1b"),
            ("/api/devices", #"{"topic":"a.b","token":"ab12"}"#, "/token"),
            ("/api/faults", #"{"effect":{"refuse":{"status":4,"reason":"X"}}}"#, "/effect/refuse/status"),
            ("/api/faults", #"{"effect":{"reset":7},"match":{"topic":1}}"#, "/match/topic"),
            ("/api/verify", #"{"match":{"payload":{},"reason":{}}}"#, "/match/reason"),
            ("/api/verify", #"{"match":{"raison":"x"}}"#, "/match/raison"), ("/api/verify", #"{"match":[]}"#, "/match"),
            ("/api/clock/advance", "{}", "/by"), ("/api/worlds", #"{"name":"-a"}"#, "/name"),
            ("/api/webhooks", #"{"url":"ftp://x"}"#, "/url"),
        ])
    func `a problem points at the member that is at fault`(path: String, body: String, pointer: String) async throws {
        try await withGateway(device: "ab12") { gateway in
            let answer = try await gateway.control.call("POST", path, body)
            #expect((400...409).contains(answer.status), "\(answer.body)")
            #expect(answer.json["pointer"] as? String == pointer, "\(answer.body)")
        }
    }

    @Test func `a problem names the parameter of the query that is at fault`() async throws {
        try await withGateway { gateway in
            for (query, name) in [("limit=0", "limit"), ("outcome=x", "outcome"), ("what=x", "what")] {
                let answer = try await gateway.control.call("GET", "/api/notifications?\(query)")
                #expect(answer.json["parameter"] as? String == name)
            }
        }
    }

    @Test(
        arguments: [
            ("DELETE", "/api/notifications", "outcome"), ("POST", "/api/reset", "x"), ("PATCH", "/api/settings", "x"),
            ("GET", "/api/clock", "x"), ("GET", "/api/events", "x"), ("DELETE", "/api/faults", "x"),
            ("DELETE", "/api/worlds/orders", "force"), ("GET", "/health", "x"), ("GET", "/", "x"),
            ("POST", "/w/orders/api/reset", "x"), ("GET", "/w/orders/metrics", "foo"),
        ])
    func `an operation refuses a parameter that it does not declare, and does nothing`(
        method: String, path: String, parameter: String
    ) async throws {
        try await withGateway(device: "ab12") { gateway in
            let control = gateway.control
            try await gateway.push(to: "ab12")
            #expect(try await control.call("POST", "/api/worlds", #"{"name":"orders"}"#).status == 201)
            let answer = try await control.call(method, "\(path)?\(parameter)=1", method == "PATCH" ? "{}" : nil)
            #expect(answer.status == 400 && answer.json["parameter"] as? String == parameter, "\(answer.body)")
            #expect(try await gateway.total("/api/notifications") == 1)
            #expect(try await control.call("GET", "/api/worlds/orders").status == 200)
        }
    }

    @Test func `a body of more than 64 KiB is refused`() async throws {
        try await withGateway { gateway in
            let body = "\"" + String(repeating: "x", count: 65535) + "\""
            let answer = try await gateway.control.call("POST", "/api/devices", body)
            #expect(answer.status == 413)
        }
    }
}
