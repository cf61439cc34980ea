import Testing

@testable import GatewayCore

struct WorldNameTests {
    @Test(arguments: [
        ("orders.localhost", "orders"), ("Orders.LOCALHOST", "orders"), ("a.localhost.", "a"), ("w-1.localhost", "w-1"),
        ("default.localhost", "default"),
    ])
    func `a host below localhost names a world`(host: String, name: String) {
        #expect(WorldName(host: host)?.text == name)
        #expect(WorldName(authority: host) == WorldName(host: host))
        #expect(WorldName(authority: host + ":8443")?.text == name)
    }

    @Test(arguments: [
        "localhost", ".localhost", "a.b.localhost", "-a.localhost", "a-.localhost", "a_b.localhost", "orders",
        "127.0.0.1",
        "[::1]:8443", "api.push.apple.com", "ä.localhost", "", ":", "a.localhost.example.com",
    ])
    func `another host names none`(host: String) {
        #expect(WorldName(host: host) == nil)
        #expect(WorldName(authority: host) == nil)
    }

    @Test(arguments: [
        ("a_b.localhost", true), ("a.b.localhost", true), ("-a.LOCALHOST", true), ("a-.localhost.", true),
        (".localhost", true), ("a.localhost", false), ("localhost", false), ("a_b.example.com", false), ("", false),
        ("[::1]", false),
    ])
    func `a host below localhost that names no world is invalid`(host: String, isInvalid: Bool) {
        #expect(WorldName.isInvalid(host: host) == isInvalid)
        #expect(WorldName.isInvalid(authority: host + ":8443") == isInvalid)
    }

    @Test func `a name has at most 63 characters`() {
        #expect(WorldName(String(repeating: "a", count: 63)) != nil)
        #expect(WorldName(String(repeating: "a", count: 64)) == nil)
        #expect(WorldName("") == nil)
    }

    @Test func `a request for another world is refused, journalled and counted`() throws {
        var running = try Scenario().run()
        var head = try Scenario().request()
        head.authority = "other.localhost"
        let request = CompleteRequest(stream: 1, head: head, isMisdirected: true)
        let judgement = running.world.judge(request, on: &running.connection, real: 0)
        #expect(judgement.response?.status == 421)
        #expect(judgement.verdict.rule == Verdict.worldRule)
        #expect(judgement.verdict.why.contains("other.localhost"))
        #expect(running.world.journalCount == 1)
        #expect(running.world.counts.refused == ["MisdirectedRequest": 1])
    }
}
