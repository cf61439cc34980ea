import APNSModel
import GatewayTestSupport
import GatewayTesting
import ProviderToken
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

    @Test func `the journal is listed newest first, filtered and paged`() async throws {
        try await withGateway(device: "ab12") { gateway in
            for number in 0..<3 { try await gateway.push(to: "ab12", "\(number)") }
            try await gateway.push(to: "ab34")
            let all = try await gateway.control.call("GET", "/api/notifications").json
            #expect(all["total"] as? Int == 4)
            let entries = try #require(all["notifications"] as? [[String: Any]])
            #expect(entries.map { $0["outcome"] as? String } == ["refused", "accepted", "accepted", "accepted"])
            let refused = try #require(entries.first)
            #expect(refused["reason"] as? String == "BadDeviceToken")
            #expect(refused["status"] as? Int == 400)
            #expect(refused["rule"] is String && refused["why"] is String && refused["received"] is String)
            #expect(refused["apns-priority"] as? Int == 5)
            #expect((refused["payload"] as? [String: Any])?["n"] as? String == "1")

            let page = try await gateway.control.call("GET", "/api/notifications?outcome=accepted&limit=2").json
            #expect(page["total"] as? Int == 3)
            #expect((page["notifications"] as? [Any])?.count == 2)
            let next = try #require(page["next"] as? String)
            let last = try await gateway.control.call(
                "GET", "/api/notifications?outcome=accepted&limit=2&cursor=\(next)"
            ).json
            #expect((last["notifications"] as? [[String: Any]])?.count == 1)
            #expect(last["next"] is String == false)
        }
    }

    @Test(arguments: [
        ("reason=BadDeviceToken", 1), ("token=AB12", 1), ("topic=com.example.agent", 2), ("push-type=alert", 0),
        ("collapse-id=x", 0), ("q=BACKGROUND", 2), ("q=needle", 1), ("q=%6Eeedle", 1),
        ("since=2000-01-01T00:00:00Z", 2),
        ("since=9999-01-01T00:00:00Z", 0), ("apns-id=00000000-0000-0000-0000-000000000000", 0),
    ])
    func `each filter chooses`(query: String, count: Int) async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.push(to: "ab12", "needle")
            try await gateway.push(to: "ab34")
            let answer = try await gateway.control.call("GET", "/api/notifications?\(query)")
            #expect(answer.json["total"] as? Int == count)
        }
    }

    @Test func `one notification is shown with its life, and the journal is emptied`() async throws {
        try await withGateway(device: "ab12") { gateway in
            guard case .accepted(_, let id?) = try await gateway.push(to: "ab12") else {
                throw TestGatewayError("no id")
            }
            let one = try await gateway.control.call("GET", "/api/notifications/\(id)").json
            let life = try #require(one["life"] as? [[String: Any]])
            #expect(life.map { $0["stage"] as? String } == ["accepted", "delivered"])
            #expect(try await gateway.control.call("DELETE", "/api/notifications").status == 204)
            #expect(try await gateway.control.call("GET", "/api/notifications").json["total"] as? Int == 0)
            #expect(try await gateway.control.call("GET", "/api/notifications/\(id)").status == 404)
        }
    }

    @Test func `a body that is not JSON is shown as base64`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            try await sender.submit(try gateway.fields(to: "ab12"), body: "{nope")
            _ = await sender.answer(on: 1, &events)
            let all = try await gateway.control.call("GET", "/api/notifications").json
            let entry = try #require((all["notifications"] as? [[String: Any]])?.first)
            #expect(entry["payload"] == nil)
            #expect(entry["payload-base64"] as? String == "e25vcGU=")
            try await sender.close()
        }
    }

    @Test func `a device is registered, listed, changed and uninstalled`() async throws {
        try await withGateway { gateway in
            let made = try await gateway.control.call(
                "POST", "/api/devices", #"{"topic":"com.example.agent","kind":"voip"}"#)
            #expect(made.status == 201)
            let token = try #require(made.json["token"] as? String)
            #expect(made.json["topic"] as? String == "com.example.agent.voip")
            #expect(made.headers["location"] == "/api/devices/\(token)")
            let list = try await gateway.control.call("GET", "/api/devices").json
            #expect(list["total"] as? Int == 1)
            #expect((list["devices"] as? [[String: Any]])?.first?["token"] as? String == token)

            let patch = try await gateway.control.call(
                "PATCH", "/api/devices/\(token)",
                #"{"online":false,"low-power":true,"background-refresh":false,"app-state":"force-quit"}"#)
            #expect(patch.status == 200)
            #expect(patch.json["online"] as? Bool == false)
            #expect(patch.json["low-power"] as? Bool == true)
            #expect(patch.json["background-refresh"] as? Bool == false)
            #expect(patch.json["app-state"] as? String == "force-quit")

            #expect(try await gateway.control.call("DELETE", "/api/devices/\(token)").status == 204)
            let gone = try await gateway.control.call("GET", "/api/devices/\(token)").json
            #expect(gone["installed"] as? Bool == false)
            #expect(gone["uninstalled"] is String)
        }
    }

    @Test func `devices are paged`() async throws {
        try await withGateway { gateway in
            for number in 10..<15 { try gateway.register(device: "ab\(number)") }
            let first = try await gateway.control.call("GET", "/api/devices?limit=3").json
            #expect((first["devices"] as? [Any])?.count == 3)
            let next = try #require(first["next"] as? String)
            let second = try await gateway.control.call("GET", "/api/devices?limit=3&cursor=\(next)").json
            #expect((second["devices"] as? [[String: Any]])?.map { $0["token"] as? String } == ["ab13", "ab14"])
            #expect(second["next"] is String == false)
        }
    }

    @Test func `the clock is set and advanced, and what is stored expires by it`() async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            try gateway.setOnline(false, device: "ab12")
            guard case .accepted(_, let id?) = try await gateway.push(to: "ab12") else {
                throw TestGatewayError("no id")
            }
            let moved = try await gateway.control.call("POST", "/api/clock/advance", #"{"by":"31d"}"#)
            #expect(moved.status == 200)
            #expect(moved.json["mode"] as? String == "manual")
            let one = try await gateway.control.call("GET", "/api/notifications/\(id)").json
            let life = try #require(one["life"] as? [[String: Any]])
            #expect(life.map { $0["stage"] as? String } == ["accepted", "stored", "expired"])

            let set = try await gateway.control.call(
                "PUT", "/api/clock", #"{"mode":"manual","now":"2030-01-01T00:00:00Z"}"#)
            #expect(set.body == #"{"mode":"manual","now":"2030-01-01T00:00:00.000Z"}"#)
            #expect(try await gateway.control.call("GET", "/api/clock").body == set.body)
            let real = try await gateway.control.call("PUT", "/api/clock", #"{"mode":"real"}"#)
            #expect(real.json["mode"] as? String == "real")
        }
    }

    @Test func `apps and keys are listed and added`() async throws {
        try await withGateway { gateway in
            let app = try await gateway.control.call(
                "POST", "/api/apps", #"{"topic":"com.example.other","team-id":"ABCDE12345","capabilities":["push"]}"#)
            #expect(app.status == 201)
            let apps = try #require(
                try await gateway.control.call("GET", "/api/apps").json["apps"] as? [[String: Any]])
            #expect(apps.map { $0["topic"] as? String } == ["com.example.agent", "com.example.other"])

            let pem = gateway.signingKey.publicKey.pem.replacing("\n", with: "\\n")
            let key = try await gateway.control.call(
                "POST", "/api/keys",
                #"{"key-id":"ABC123DEFG","team-id":"ABCDE12345","public-key":"\#(pem)","kind":"topic","topics":["a.b"],"environments":["sandbox"]}"#
            )
            #expect(key.status == 201)
            let keys = try #require(
                try await gateway.control.call("GET", "/api/keys").json["keys"] as? [[String: Any]])
            #expect(keys.map { $0["key-id"] as? String } == [gateway.keyID.value, "ABC123DEFG"])
            #expect(keys.last?["topics"] as? [String] == ["a.b"])
        }
    }

    @Test(
        arguments: [
            (#""kind":"topic","topics":["a.b"]"#, 201, #""environments":["production"]"#),
            (#""kind":"topic","topics":["a.b"],"environments":["sandbox"]"#, 201, #""environments":["sandbox"]"#),
            (#""kind":"topic","topics":["a.b"],"environments":["sandbox","production"]"#, 400, "one environment"),
            (#""kind":"team""#, 201, #""environments":["production","sandbox"]"#),
        ])
    func `a topic-specific key is for one environment`(members: String, status: Int, says: String) async throws {
        try await withGateway(environment: .production) { gateway in
            let pem = gateway.signingKey.publicKey.pem.replacing("\n", with: "\\n")
            let answer = try await gateway.control.call(
                "POST", "/api/keys",
                #"{"key-id":"ABC123DEFG","team-id":"ABCDE12345","public-key":"\#(pem)",\#(members)}"#)
            #expect(answer.status == status)
            #expect(answer.body.contains(says), "\(answer.body)")
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

    @Test func `a body of more than 64 KiB is refused`() async throws {
        try await withGateway { gateway in
            let body = "\"" + String(repeating: "x", count: 65535) + "\""
            let answer = try await gateway.control.call("POST", "/api/devices", body)
            #expect(answer.status == 413)
        }
    }

    @Test(
        arguments: [
            ("localhost", nil, 200), ("LOCALHOST:1", nil, 200), ("test.localhost", nil, 200),
            ("127.0.0.9:80", nil, 200),
            ("[::1]:80", nil, 200), ("evil.example", nil, 403), ("127.0.0.1.evil.example", nil, 403),
            ("localhost.evil.example", nil, 403), ("127.0.0.256", nil, 403), ("localhost:1", "http://localhost:1", 200),
            ("localhost:1", "http://localhost:2", 403), ("localhost:1", "https://evil.example", 403),
            ("localhost:1", "null", 403),
        ] as [(String, String?, Int)])
    func `only this machine and its own pages are served`(host: String, origin: String?, status: Int) async throws {
        try await withGateway { gateway in
            let headers = origin.map { ["Origin: \($0)"] } ?? []
            let answer = try await gateway.control.call("GET", "/health", headers: headers, host: host)
            #expect(answer.status == status)
        }
    }
}
