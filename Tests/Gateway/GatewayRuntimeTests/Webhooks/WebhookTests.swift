import APNSModel
import DevelopmentCredentials
import Dispatch
import Foundation
import GatewayConfiguration
import GatewayJSON
import GatewayTestSupport
import GatewayTesting
import NIOHTTP1
import SystemFiles
import TLSSession
import TestSupport
import Testing

@testable import GatewayRuntime
@testable import GatewayServer

@Suite(.timeLimit(.minutes(10)))
struct WebhookTests {
    func add(_ gateway: TestGateway, _ url: String, events: [String], base: String = "") async throws -> String {
        let names = events.map { "\"\($0)\"" }.joined(separator: ",")
        let made = try await gateway.control.call(
            "POST", base + "/api/webhooks", #"{"url":"\#(url)","events":[\#(names)]}"#)
        #expect(made.status == 201, "\(made.body)")
        return made.json["id"] as? String ?? ""
    }

    /// Waits until a webhook's numbers are these.
    func expect(
        _ gateway: TestGateway, _ id: String, delivered: Int = 0, failed: Int = 0, retries: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let expected = [delivered, failed, retries]
        var numbers: [Int?] = []
        let isMet = try await eventually {
            let webhook = try await gateway.control.call("GET", "/api/webhooks/\(id)").json
            numbers = ["delivered", "failed", "retries"].map { webhook[$0] as? Int }
            return numbers == expected
        }
        #expect(isMet, "\(numbers) instead of \(expected)", sourceLocation: sourceLocation)
    }

    @Test func `a webhook gets the events that it wants, in order`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await HookServer.with { server, url in
                let id = try await add(gateway, url, events: ["notification", "delivered"])
                var posts = server.bodies.makeAsyncIterator()
                for number in 1...3 { try await gateway.push(to: "ab12", "\(number)") }
                _ = try await gateway.control.call("POST", "/api/clock/advance", #"{"by":"1s"}"#)
                for number in 1...3 {
                    let judged = await posts.post()
                    #expect(judged["event"] as? String == "notification")
                    #expect(judged["world"] as? String == "default")
                    let data = try #require(judged["data"] as? [String: Any])
                    #expect((data["payload"] as? [String: Any])?["n"] as? String == "\(number)")
                    let delivered = await posts.post()
                    #expect(delivered["event"] as? String == "delivered")
                    let eventID = delivered["id"] as? String ?? ""
                    #expect(eventID.hasPrefix("default-\(id)-") && eventID.hasSuffix("-\(2 * number)"))
                }
                try await expect(gateway, id, delivered: 6)
                let head = try #require(server.heads.first)
                #expect(head.uri == "/hook?a=b")
                #expect(head.headers.first(name: "content-type") == "application/json")
            }
        }
    }

    @Test func `a webhook gets each verdict that it names, with the keys of a life line`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await HookServer.with { server, url in
                _ = try await add(gateway, url, events: ["accepted", "refused", "delivered"])
                var posts = server.bodies.makeAsyncIterator()
                try await gateway.push(to: "ab12")
                try await gateway.push(to: "ff00")
                for (event, reason) in [("accepted", nil), ("delivered", nil), ("refused", "BadDeviceToken")] {
                    let post = await posts.post()
                    #expect(post["event"] as? String == event)
                    let data = try #require(post["data"] as? [String: Any])
                    #expect(data["stage"] as? String == event)
                    #expect(data["token"] as? String == (event == "refused" ? "ff00" : "ab12"))
                    #expect(data["at"] is String && data["why"] is String && data["apns-unique-id"] is String)
                    #expect(data["reason"] as? String == reason)
                }
            }
        }
    }

    @Test func `a webhook that names nothing gets a verdict once`() async throws {
        try await withGateway { gateway in
            try await HookServer.with { server, url in
                let made = try await gateway.control.call("POST", "/api/webhooks", #"{"url":"\#(url)"}"#)
                let events = try #require(made.json["events"] as? [String])
                #expect(events.contains("notification") && !events.contains("accepted") && !events.contains("refused"))
                var posts = server.bodies.makeAsyncIterator()
                try await gateway.push(to: "ff00")
                _ = try await gateway.control.call("DELETE", "/api/notifications")
                #expect(await posts.post()["event"] as? String == "notification")
                #expect(await posts.post()["event"] as? String == "journal-emptied")
            }
        }
    }

    @Test func `an added webhook gets its events, and the reset that removes it`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await HookServer.with { server, url in
                _ = try await add(gateway, url, events: ["delivered", "reset", "journal-emptied"])
                var posts = server.bodies.makeAsyncIterator()
                for number in 1...3 { try await gateway.push(to: "ab12", "\(number)") }
                _ = try await gateway.control.call("POST", "/api/reset")
                let after = try await gateway.control.call("GET", "/api/webhooks").json["webhooks"] as? [Any]
                #expect(after?.isEmpty == true)
                _ = try await gateway.control.call("DELETE", "/api/notifications")
                for event in ["delivered", "delivered", "delivered", "reset"] {
                    #expect(await posts.post()["event"] as? String == event)
                }
                let delivered = #"apns_gateway_webhook_events_total{result="delivered"} 4"#
                #expect(
                    try await eventually {
                        try await gateway.control.call("GET", "/metrics").body.contains(delivered)
                    })
            }
        }
    }

    @Test func `a webhook that fails is tried again, and what it refuses is not`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await HookServer.with(statuses: [500, 429, 200, 404, 200]) { server, url in
                let id = try await add(gateway, url, events: ["delivered"])
                var posts = server.bodies.makeAsyncIterator()
                for number in 1...3 { try await gateway.push(to: "ab12", "\(number)") }
                var ids: [String] = []
                for _ in 0..<5 { ids.append(await posts.post()["id"] as? String ?? "") }
                #expect(Set(ids).count == 3 && Set(ids[..<3]).count == 1, "\(ids)")
                try await expect(gateway, id, delivered: 2, failed: 1, retries: 2)
                let metrics = try await gateway.control.call("GET", "/metrics").body
                #expect(metrics.contains(#"apns_gateway_webhook_events_total{result="delivered"} 2"#))
                #expect(metrics.contains(#"apns_gateway_webhook_events_total{result="failed"} 1"#))
                #expect(metrics.contains(#"apns_gateway_webhook_events_total{result="retried"} 2"#))
            }
        }
    }

    @Test func `a webhook that nobody answers never holds up a sender, and what it has no room for is counted`()
        async throws
    {
        try await withGateway(device: "ab12") { gateway in
            // Nobody listens there, so each event takes all of its pauses.
            let id = try await add(gateway, "http://127.0.0.1:1/", events: ["notification"])
            let count = SubscriberLimits.capacity + 50
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<8 {
                    group.addTask {
                        for number in stride(from: lane, to: count, by: 8) {
                            let reply = try await gateway.push(to: "ab12", "\(number)")
                            #expect(reply.isAccepted)
                        }
                    }
                }
                try await group.waitForAll()
            }
            var webhook = try await gateway.control.call("GET", "/api/webhooks/\(id)").json
            // Each event that was given up while the others were sent made room for one more.
            var number = count
            while try #require(webhook["dropped"] as? Int) < 40 || webhook["last-error"] as? String == nil {
                #expect(try await gateway.push(to: "ab12", "\(number)").isAccepted)
                number += 1
                webhook = try await gateway.control.call("GET", "/api/webhooks/\(id)").json
            }
            #expect((webhook["last-error"] as? String)?.contains("127.0.0.1:1") == true)
        }
    }

    @Test func `webhooks are listed and removed, and a reset leaves none behind`() async throws {
        try await withGateway { gateway in
            let control = gateway.control
            func count() async throws -> Int? {
                (try await control.call("GET", "/api/webhooks").json["webhooks"] as? [Any])?.count
            }
            let first = try await add(gateway, "http://127.0.0.1:1/", events: ["reset"])
            _ = try await add(gateway, "http://[::1]:1/x", events: ["app"])
            #expect(try await count() == 2)
            #expect(try await control.call("DELETE", "/api/webhooks/\(first)").status == 204)
            #expect(try await control.call("DELETE", "/api/webhooks/\(first)").status == 404)
            #expect(try await control.call("GET", "/api/webhooks/\(first)").status == 404)
            #expect(try await control.call("POST", "/api/reset").status == 204)
            #expect(try await count() == 0)
            _ = try await add(gateway, "http://localhost:1/", events: ["app"])
            #expect(try await control.call("DELETE", "/api/webhooks").status == 204)
            #expect(try await count() == 0)
        }
    }

    @Test func `a webhook that is removed while it is added gets nothing`() async throws {
        let world = try LiveWorld.inMemory()
        let url = try #require(WebhookURL("http://127.0.0.1:1/"))
        let removed = Webhook(id: "1", url: url, events: nil, isFixed: false, WebhookTLS())
        removed.stop(in: world)
        removed.start(in: world)
        #expect(!world.withState { $0.subscribers.hasEventSubscribers })
        let finished = Webhook(id: "2", url: url, events: nil, isFixed: false, WebhookTLS())
        await finished.finish(in: world)
        finished.start(in: world)
        #expect(!world.withState { $0.subscribers.hasEventSubscribers })
    }

    @Test func `a gateway that stops posts what is queued for webhooks`() async throws {
        try await HookServer.with { server, url in
            try await withGateway { gateway in
                _ = try await add(gateway, url, events: ["journal-emptied"])
                for _ in 1...20 { _ = try await gateway.control.call("DELETE", "/api/notifications") }
                #expect(await gateway.running.worlds.drainWebhooks(within: .seconds(600)) == 0)
                #expect(server.heads.count == 20)
                // Later events are not for them.
                _ = try await gateway.control.call("DELETE", "/api/notifications")
                #expect(await gateway.running.worlds.drainWebhooks(within: .zero) == 0)
            }
        }
    }

    @Test func `what a gateway that stops cannot post is counted`() async throws {
        try await withGateway { gateway in
            // Nothing listens there; each event is tried several times, with pauses.
            _ = try await add(gateway, "http://127.0.0.1:1/", events: ["journal-emptied"])
            _ = try await add(gateway, "http://127.0.0.1:1/", events: ["journal-emptied"])
            for _ in 1...3 { _ = try await gateway.control.call("DELETE", "/api/notifications") }
            #expect(await gateway.running.worlds.drainWebhooks(within: .zero) == 6)
        }
    }

    /// A gateway on free ports, with webhooks.
    private func configuration(_ urls: [String], grace: Duration) throws -> GatewayConfiguration {
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort, configuration.grace) = (0, 0, grace)
        configuration.credentials = .given(try TestGateway.credentials.get())
        configuration.webhooks = try urls.map { try #require(WebhookURL($0)) }
        return configuration
    }

    @Test func `a gateway that is stopped posts what is queued, and logs how much no webhook took in its grace`()
        async throws
    {
        try await HookServer.with { server, url in
            try await HookServer.with(statuses: [0]) { silent, silentURL in
                let log = LoggedLines()
                var configuration = try configuration([url, silentURL], grace: .seconds(15))
                configuration.log(to: log)
                let running = try await GatewayServer(configuration).start()
                for _ in 1...3 { running.state.deleteNotifications() }
                await running.shutdown()
                #expect(server.heads.count == 3)
                // On a busy machine the grace is long enough for a second attempt.
                #expect(silent.heads.count >= 1)
                #expect(
                    log.all == [
                        "warning Events for webhooks were not delivered before the gateway stopped; a longer --grace gives "
                            + "them more time.: events=3"
                    ])
            }
        }
    }

    @Test func `while a gateway that stops posts what is queued, it takes no change and can be read`() async throws {
        try await HookServer.with { server, url in
            try await HookServer.with(statuses: [0]) { _, silentURL in
                let configuration = try configuration([url, silentURL], grace: .seconds(600))
                let running = try await GatewayServer(configuration).start()
                let control = ControlClient(port: running.controlPort)
                running.state.deleteNotifications()
                async let stopped: Void = running.shutdown()
                // Before that its body is wrong.
                let refuses = try await eventually { try await control.call("PUT", "/api/clock", "{}").status == 503 }
                #expect(refuses)
                for (method, path) in [("DELETE", "/api/notifications"), ("GET", "/api/devices/ab12/deliveries")] {
                    let refused = try await control.call(method, path)
                    #expect(refused.status == 503 && refused.body.contains("the gateway is stopping"))
                }
                #expect(try await control.call("GET", "/api/notifications").status == 200)
                let isPosted = await eventually { server.heads.count == 1 }
                for world in running.worlds.all { world.webhooks.giveUp() }
                await stopped
                #expect(isPosted && server.heads.count == 1)
            }
        }
    }

    @Test func `a gateway that is stopped and posts everything logs nothing`() async throws {
        try await HookServer.with { server, url in
            let log = LoggedLines()
            var configuration = try configuration([url], grace: .seconds(600))
            configuration.log(to: log)
            let running = try await GatewayServer(configuration).start()
            for _ in 1...20 { running.state.deleteNotifications() }
            await running.shutdown()
            #expect(server.heads.count == 20)
            #expect(log.all == [])
        }
    }

    @Test func `events that wait for the store are posted too when the gateway stops`() async throws {
        try await withTemporaryFolder { folder in
            try await HookServer.with { server, url in
                var configuration = try configuration([url], grace: .seconds(600))
                configuration.store = folder.appendingPathComponent("gateway.sqlite").path
                let running = try await GatewayServer(configuration).start()
                let world = running.state
                let disk = DispatchSemaphore(value: 0)
                try #require(world.storeQueue).perform { _ in disk.wait() }
                world.deleteNotifications()
                async let undelivered = running.worlds.drainWebhooks(within: .seconds(600))
                // The drain waits for the store; one that does not has nothing to post.
                let isWaiting = await eventually(within: .seconds(60)) {
                    world.withState { $0.outbox?.batch.callbacks.isEmpty == false }
                }
                disk.signal()
                #expect(isWaiting)
                #expect(await undelivered == 0)
                #expect(server.heads.count == 1)
                await running.shutdown()
            }
        }
    }

    @Test func `a world tells its own webhooks only`() async throws {
        try await withGateway { gateway in
            try await HookServer.with { server, url in
                _ = try await add(gateway, url, events: ["journal-emptied"], base: "/w/orders")
                var posts = server.bodies.makeAsyncIterator()
                _ = try await gateway.control.call("DELETE", "/api/notifications")
                _ = try await gateway.control.call("DELETE", "/w/orders/api/notifications")
                #expect(await posts.post()["world"] as? String == "orders")
            }
        }
    }

    @Test func `a webhook of the configuration gets the events of every world and stays`() async throws {
        try await HookServer.with { server, url in
            var configuration = GatewayConfiguration()
            (configuration.port, configuration.controlPort, configuration.grace) = (0, 0, .seconds(1))
            configuration.credentials = .given(try DevelopmentCredentials.make())
            configuration.webhooks = [try #require(WebhookURL(url))]
            let running = try await GatewayServer(configuration).start()
            let control = ControlClient(port: running.controlPort)
            var posts = server.bodies.makeAsyncIterator()
            _ = try await control.call("POST", "/api/reset")
            #expect(await posts.post()["event"] as? String == "reset")
            _ = try await control.call("DELETE", "/api/notifications")
            #expect(await posts.post()["event"] as? String == "journal-emptied")
            _ = try await control.call("POST", "/w/orders/api/reset")
            // Each world tells its own, in its own time.
            let next = [await posts.post(), await posts.post()]
            #expect(Set(next.compactMap { $0["event"] as? String }) == ["world-made", "reset"])
            #expect(next.contains { $0["world"] as? String == "orders" })
            await running.shutdown()
        }
    }

    /// Runs a server of webhooks that shows a certificate for localhost, and a gateway that verifies it by `trusted`.
    private func withSecureHook(
        trusted: (DevelopmentCredentials) throws -> [UInt8]?,
        _ body: (HookServer, ControlClient) async throws -> Void
    ) async throws {
        let credentials = try DevelopmentCredentials.make()
        let tls = try TLSContext.server(
            identity: credentials.server, clientTrust: nil, requestsClientCertificate: false, alpn: ["http/1.1"])
        try await HookServer.with(tls: tls) { server, url in
            var configuration = GatewayConfiguration()
            (configuration.port, configuration.controlPort, configuration.grace) = (0, 0, .seconds(1))
            configuration.credentials = .given(credentials)
            configuration.webhooks = [try #require(WebhookURL(url))]
            configuration.webhookCA = try trusted(credentials)
            try await GatewayServer(configuration).run { gateway in
                try await body(server, ControlClient(port: gateway.controlPort))
                throw CancellationError()
            }
        }
    }

    @Test func `a webhook of https gets events, however long they are`() async throws {
        try await withSecureHook(trusted: \.caPEM) { server, control in
            var posts = server.bodies.makeAsyncIterator()
            let text = String(repeating: "x", count: 4000)
            let sent = #"{"token":"ab12","apns-topic":"com.example.agent","payload":{"aps":{"alert":"\#(text)"}}}"#
            _ = try await control.call("POST", "/api/notifications", sent)
            for _ in 1...3 {
                let post = await posts.post()
                guard post["event"] as? String == "notification" else { continue }
                let data = post["data"] as? [String: Any]
                #expect(((data?["payload"] as? [String: Any])?["aps"] as? [String: String])?["alert"] == text)
                return
            }
            Issue.record("no notification was posted")
        }
    }

    @Test(arguments: [false, true])
    func `a webhook of https that is not trusted hears nothing`(isSystem: Bool) async throws {
        let trusted = isSystem ? nil : try DevelopmentCredentials.make().caPEM
        try await withSecureHook(trusted: { _ in trusted }) { server, control in
            _ = try await control.call("POST", "/api/reset")
            var error: String?
            _ = try await eventually {
                let all = try await control.call("GET", "/api/webhooks").json["webhooks"] as? [[String: Any]]
                error = all?.first?["last-error"] as? String
                return error != nil
            }
            let says = error ?? ""
            #expect(says.contains("cannot be reached") && says.contains("certificate"), "\(says)")
            #expect(server.heads.isEmpty)
        }
    }

    @Test func `a file that holds no authority is reported before anything starts`() async throws {
        var configuration = GatewayConfiguration()
        configuration.webhookCA = Array("nothing".utf8)
        let fault = #expect(throws: GatewayError.self) { try configuration.check() }
        #expect(fault?.detail.contains("--webhook-ca") == true)
    }

    @Test(
        arguments: [
            (#"{"url":"http://example.com/"}"#, "on this machine"),
            (#"{"url":"ftp://127.0.0.1/"}"#, "http://host:port"),
            (#"{"url":"http://user@127.0.0.1/"}"#, "http://host:port"),
            (#"{"url":"http://127.0.0.1:0/"}"#, "http://host"),
            (#"{"url":"http://127.0.0.1/","events":["what"]}"#, "notification"),
            (#"{"url":"http://127.0.0.1/","events":[]}"#, "notification"),
            (#"{"events":["app"]}"#, "\"url\" is missing"),
        ])
    func `a webhook that cannot be is refused`(body: String, detail: String) async throws {
        try await withGateway { gateway in
            let answer = try await gateway.control.call("POST", "/api/webhooks", body)
            #expect(answer.status == 400)
            #expect((answer.json["detail"] as? String)?.contains(detail) == true, "\(answer.body)")
        }
    }
}
