import Testing

@testable import GatewayConfiguration

struct GatewaySettingTests {
    @Test func `a setting is named as an option where there is one, or else by its key`() {
        #expect(GatewaySetting.port.flag == "--port")
        #expect(GatewaySetting.apps.flag == "apps")
        #expect(GatewaySetting.named(option: "worlds") == .worlds)
        #expect(GatewaySetting.named(option: "apps") == nil)
    }

    @Test func `the help says the default and has no Markdown`() {
        #expect(GatewaySetting.port.help == "The port for senders; 0 takes a free one (default: 8443).")
        #expect(GatewaySetting.json.help == "Print addresses, ports and credentials as one line of JSON.")
        #expect(GatewaySetting.all.allSatisfy { !$0.help.contains("`") })
    }

    @Test func `the help of the control token says who sees it, and names what is private`() {
        let help = GatewaySetting.controlToken.help
        #expect(help.contains("list of processes") && help.contains("--control-token-file"))
    }

    @Test func `each key belongs to one scope, also where two options share it`() {
        let (gateway, world) = (GatewaySetting.keys(.gateway), GatewaySetting.keys(.world))
        #expect(Set(gateway).count == gateway.count && Set(world).count == world.count)
        #expect(Set(gateway).isDisjoint(with: world))
        #expect(gateway.contains("maximum-worlds") && gateway.contains("worlds") && !gateway.contains("check-config"))
        #expect(world.filter { $0 == "keys" }.count == 1)
    }

    @Test func `the help of the file names options with another key and keys without an option`() {
        let help = GatewaySetting.helpOfKeys
        #expect(help.contains("maximum-worlds (--worlds)") && help.contains("keys (--key, --team-id)"))
        #expect(help.contains("every option but --config, --check-config, --replay, --wait and --wait-timeout"))
    }

    @Test func `the table has a row for each setting`() {
        let rows = GatewaySetting.table(.gateway).split(separator: "\n")
        #expect(rows.count == 2 + GatewaySetting.all.filter { $0.scope == .gateway }.count)
        #expect(rows.contains("| `--port` | `port` | The port for senders; 0 takes a free one. | `8443` |"))
    }
}
