import Testing

@testable import GatewayConfiguration

struct GatewayVariablesTests {
    private static func words(_ environment: [String: String], isForReplay: Bool = false) throws -> [String] {
        try GatewayVariables(environment, isForReplay: isForReplay).arguments.flatMap(\.words)
    }

    @Test func `each option has a variable of its own, and a key has none`() {
        #expect(GatewaySetting.controlToken.variable == "APNS_GATEWAY_CONTROL_TOKEN")
        #expect(GatewaySetting.apps.variable == nil)
        let variables = GatewaySetting.all.compactMap(\.variable)
        #expect(variables.count == GatewaySetting.all.compactMap(\.option).count)
        #expect(Set(variables).count == variables.count)
    }

    @Test func `a variable stands for its option`() throws {
        #expect(try Self.words(["APNS_GATEWAY_HOST": "0.0.0.0", "PATH": "/bin"]) == ["--host=0.0.0.0"])
        #expect(try Self.words(["APNS_GATEWAY_HOST": ""]).isEmpty)
        // A value may look like an option.
        #expect(try Self.words(["APNS_GATEWAY_STORE": "--json"]) == ["--store=--json"])
    }

    @Test func `a list has commas`() throws {
        let names = ["APNS_GATEWAY_NAME": "gateway, api.push.apple.com,,"]
        #expect(try Self.words(names) == ["--name=gateway", "--name=api.push.apple.com"])
    }

    @Test(arguments: ["true", "TRUE", "yes", "1"])
    func `a flag is switched on`(text: String) throws {
        #expect(try Self.words(["APNS_GATEWAY_VERBOSE": text]) == ["--verbose"])
    }

    @Test(arguments: ["false", "No", "0", ""])
    func `a flag is left off`(text: String) throws {
        #expect(try Self.words(["APNS_GATEWAY_VERBOSE": text]).isEmpty)
    }

    @Test func `another value of a flag is an error that does not repeat it`() {
        let failure = #expect(throws: GatewayVariables.Failure.self) {
            try Self.words(["APNS_GATEWAY_ANY_KEY": "hunter2"])
        }
        #expect(
            failure?.description == "APNS_GATEWAY_ANY_KEY switches --any-key on or off; true or false is expected")
    }

    @Test func `a variable of no option is reported`() throws {
        let variables = try GatewayVariables(["APNS_GATEWAY_PROT": "1", "APNS_GATEWAY": "local", "APNS_KEY": "k"])
        #expect(variables.unknown == ["APNS_GATEWAY_PROT"] && variables.arguments.isEmpty)
    }

    @Test func `what Kubernetes sets for a service of this name is ignored`() throws {
        let variables = try GatewayVariables([
            "APNS_GATEWAY_PORT": "tcp://10.0.0.1:8443", "APNS_GATEWAY_SERVICE_HOST": "10.0.0.1",
            "APNS_GATEWAY_SERVICE_PORT": "8443", "APNS_GATEWAY_PORT_8443_TCP": "tcp://10.0.0.1:8443",
            "APNS_GATEWAY_PORT_8443_TCP_ADDR": "10.0.0.1",
        ])
        #expect(variables.arguments.isEmpty && variables.unknown.isEmpty)
    }

    @Test func `a replay ignores variables of a gateway that runs`() throws {
        let environment = ["APNS_GATEWAY_HOST": "0.0.0.0", "APNS_GATEWAY_SEED": "7", "APNS_GATEWAY_VERBOSE": "maybe"]
        #expect(try Self.words(environment, isForReplay: true) == ["--seed=7"])
    }
}
