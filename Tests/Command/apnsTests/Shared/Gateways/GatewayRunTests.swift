import APNSProvider
import Testing

@testable import apns

struct GatewayRunTests {
    static func run(port: Int = 8443, processID: Int32 = 77, started: Int64 = 1_795_000_000_000) -> GatewayRun {
        GatewayRun(
            gateway: APNSGateway(host: "127.0.0.1", port: port), control: "http://127.0.0.1:8444",
            channels: "https://127.0.0.1:8445", caPath: "/x/it's \"here\"/ca.pem", keyPath: "/x/AuthKey_ABC123DEFG.p8",
            keyID: "ABC123DEFG", teamID: "DEF123GHIJ", topic: "com.example.agent", processID: processID,
            started: started)
    }

    @Test func `what is written is read again`() {
        let run = GatewayRunTests.run()
        #expect(GatewayRun(json: run.json) == run)
        var without = run
        without.channels = nil
        #expect(GatewayRun(json: without.json) == without)
    }

    @Test func `it has the keys of the ready line, and no secret`() {
        var text = String(decoding: GatewayRunTests.run().json, as: UTF8.self)
        #expect(text.hasPrefix(#"{"gateway":"https://127.0.0.1:8443","control":"http://127.0.0.1:8444","#))
        #expect(text.hasSuffix("\"pid\":77,\"started\":1795000000000}\n"))
        #expect(!text.contains("token"))
        // A later version may add keys.
        text.replace("{\"gateway\"", with: "{\"later\":[1],\"gateway\"")
        #expect(GatewayRun(json: Array(text.utf8)) == GatewayRunTests.run())
    }

    @Test(arguments: [
        "", "[]", "{", "{}", #"{"gateway":"https://127.0.0.1:8443"}"#,
        #"{"gateway":"nowhere","control":"c","ca":"a","key":"k","key-id":"i","team-id":"t","topic":"o","pid":1,"started":1}"#,
    ])
    func `anything else is no run file`(text: String) {
        #expect(GatewayRun(json: Array(text.utf8)) == nil)
    }

    @Test func `a name is local, or local with a port`() throws {
        #expect(try LocalGatewayName("local") == .newest)
        #expect(try LocalGatewayName("local:8443") == .port(8443))
        #expect(try LocalGatewayName("https://local:1") == nil)
        #expect(try LocalGatewayName("localhost") == nil)
        for text in ["local:", "local:0", "local:65536", "local:x", "local:+1", "local:-1"] {
            #expect(throws: CommandError.self, "\(text)") { try LocalGatewayName(text) }
        }
    }

    @Test func `folders come from the variables of XDG, and from the home folder`() {
        func folders(_ variables: [String: String]) -> [String] { RunFolders.all { variables[$0] } }
        #expect(
            folders(["XDG_RUNTIME_DIR": "/run/user/7/", "HOME": "/home/ada"])
                == ["/run/user/7/apns-toolkit", "/home/ada/.local/state/apns-toolkit/run"])
        #expect(folders(["XDG_STATE_HOME": "/state", "HOME": "/home/ada"]) == ["/state/apns-toolkit/run"])
        #expect(folders(["XDG_RUNTIME_DIR": "run", "HOME": "/h"]) == ["/h/.local/state/apns-toolkit/run"])
        #expect(folders([:]) == [])
    }
}
