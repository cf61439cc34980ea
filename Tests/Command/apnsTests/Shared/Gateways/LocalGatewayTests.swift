import APNSProvider
import Testing

@testable import apns

struct LocalGatewayTests {
    private static let newest = GatewayRunTests.run(port: 40_001, processID: 9, started: 2)
    private static let other = GatewayRunTests.run(port: 8443, processID: 8, started: 1)

    private static func find(
        _ name: LocalGatewayName, running: [GatewayRun] = [], left: [GatewayRun] = []
    ) throws -> LocalGateway {
        try LocalGateway.find(
            name, found: GatewayRunFile.Found(running: running, left: left), folders: ["/run/x"],
            currentFolder: "/nowhere/at/all")
    }

    @Test func `a running gateway brings its address and its credentials`() throws {
        let local = try LocalGatewayTests.find(.newest, running: [LocalGatewayTests.other])
        #expect(local.gateway == APNSGateway(host: "127.0.0.1", port: 8443))
        #expect(local.credentials.keyPath == "/x/AuthKey_ABC123DEFG.p8")
        #expect(local.credentials.teamID == "DEF123GHIJ" && local.credentials.topic == "com.example.agent")
        #expect(local.notes.isEmpty)
    }

    @Test func `of several the newest is used, with a note that names the others`() throws {
        let running = [LocalGatewayTests.newest, LocalGatewayTests.other]
        let local = try LocalGatewayTests.find(.newest, running: running)
        #expect(local.gateway.port == 40_001)
        #expect(local.notes.count == 1 && local.notes[0].contains("local:8443"), "\(local.notes)")
        let chosen = try LocalGatewayTests.find(.port(8443), running: running)
        #expect(chosen.gateway.port == 8443)
        #expect(chosen.notes.isEmpty)
    }

    @Test func `a port on which none runs is an error that names those that run`() {
        let error = #expect(throws: CommandError.self) {
            try LocalGatewayTests.find(.port(1), running: [LocalGatewayTests.other])
        }
        #expect(error?.message.contains("https://127.0.0.1:8443 (process 8)") == true, "\(String(describing: error))")
    }

    @Test func `one that was killed is ignored with a sentence`() throws {
        let local = try LocalGatewayTests.find(
            .newest, running: [LocalGatewayTests.other], left: [LocalGatewayTests.newest])
        #expect(local.gateway.port == 8443)
        #expect(
            local.notes == [
                "the gateway https://127.0.0.1:40001 (process 9) did not end in order; its run file is ignored and was "
                    + "removed"
            ])
    }

    @Test func `without a run file and without certs-dev the error names both, and what to start`() {
        let error = #expect(throws: CommandError.self) { try LocalGatewayTests.find(.newest) }
        for part in ["/run/x", "certs/dev/credentials.json", "/nowhere/at/all", "port 8443", "gateway"] {
            #expect(error?.message.contains(part) == true, "\(part)")
        }
        let other = #expect(throws: CommandError.self) { try LocalGatewayTests.find(.port(9000)) }
        #expect(other?.message.contains("port 9000") == true)
    }
}
