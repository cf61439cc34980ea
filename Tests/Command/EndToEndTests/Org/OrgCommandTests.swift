import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `apns org` as a process, alone and between a gateway and devices.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OrgCommandTests {
    private typealias Org = RunningOrg

    private static let token = String(repeating: "0", count: 60) + "0a9c"

    /// A device with an access token of the org, which registers it before it connects.
    ///
    /// - Parameters:
    ///   - access: Nil for that of a new log-in, empty for none.
    ///   - url: Nil for the org's.
    private func device(
        _ org: Org, _ gateway: LocalGateway, _ command: Command, access: String? = nil, at url: String? = nil
    ) async throws -> RunningCommand {
        var token = access
        if token == nil { token = try await login(org, command) }
        let device = try command.start(
            ["device", "--json", "--control", gateway["control"], "--token", Self.token, "--org", url ?? org.url],
            environment: ["APNS_ORG_TOKEN": token ?? ""])
        try await device.line("connected")
        return device
    }

    private func login(_ org: Org, _ command: Command) async throws -> String {
        try await org.run(command, ["login", "ada@example.com"]).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func registry(_ org: Org, _ command: Command) async throws -> [[String: Any]] {
        let text = try await org.run(command, ["call", "GET", "devices"])
        return try JSONText.object(text)["devices"] as? [[String: Any]] ?? []
    }

    private func gatewayOptions(_ gateway: LocalGateway) -> [String] {
        [
            "--gateway", gateway["gateway"], "--ca", gateway["ca"], "--key", gateway["key"], "--team-id",
            gateway["team-id"],
        ]
    }

    private func withOrgAndGateway(
        _ arguments: [String] = [], _ body: (Org, LocalGateway, Command) async throws -> Void
    ) async throws {
        try await withLocalGateway { gateway, command in
            let org = try await Org(command, gatewayOptions(gateway) + arguments)
            try await org.process.stopped { try await body(org, gateway, command) }
        }
    }

    @Test func `what is sent to a person goes to the devices that the org knows`() async throws {
        try await withOrgAndGateway { org, gateway, command in
            let person = ["send", "--user", "ada@example.com", "--org", org.url, "--json"] + gateway.options
            let none = try await command.run(person + ["--alert", "Hi"])
            #expect(none.status == 2)
            #expect(none.errors.contains("has no device of ada@example.com: register one with"), "\(none.errors)")
            let device = try await device(org, gateway, command)
            let result = try await command.run(person + ["--hint", "TEST"])
            #expect(result.status == 0, "\(result.text)")
            #expect(try JSONText.object(result.output)["token"] as? String == Self.token)
            let nobody = try await command.run(
                ["send", "--user", "nobody", "--org", org.url, "--alert", "Hi"] + gateway.options)
            #expect(nobody.status == 1)
            #expect(nobody.errors.contains("the org answered"), "\(nobody.errors)")
            await device.stop()
        }
    }

    @Test func `a record that is edited arrives in the store of a device`() async throws {
        try await withOrgAndGateway { org, gateway, command in
            let device = try await device(org, gateway, command)
            let records = try await org.run(command, ["records", "Account", "--json"])
            let first = try JSONText.object(records.split(separator: "\n")[0])
            let id = try #require(first["Id"] as? String)
            let said = try await org.run(command, ["edit", "Account", id, "Name=Northwind Nord"])
            #expect(said == "1 record changed, 1 push call\n")
            #expect(try await device.line("received").contains("ACCOUNT_UPDATE"))
            let stored = try await device.line(#""event":"stored""#)
            #expect(stored.contains("Northwind Nord") && stored.contains(id))
            #expect(try await device.line(#""event":"result""#).contains("newData"))
            // The device may have its notification before the org has read the gateway's answer.
            let follow = try command.start(["org", "log", "--follow"] + org.at)
            try await follow.line("GATEWAY_ACCEPTED")
            follow.send(SIGINT)
            _ = await follow.status()
            let log = try await org.run(command, ["log"])
            #expect(log.contains("PUSH_NOTIFICATION_SENT") && log.contains("GATEWAY_ACCEPTED"))
            #expect(!log.contains(Self.token))
            await device.stop()
            org.process.send(SIGINT)
            #expect(await org.process.status() == 0)
            #expect(await org.process.errors.all() == "The org stopped; 1 push was accepted.\n")
        }
    }

    @Test func `an org that is stopped says what it waits for, and a second signal ends the wait`() async throws {
        try await withLocalGateway { gateway, command in
            var options = gatewayOptions(gateway)
            options[1] = "https://127.0.0.1:1"
            let org = try await Org(command, options)
            try await org.process.stopped {
                let device = try await device(org, gateway, command)
                _ = try await org.run(command, ["edit", "Account", "--all", "Name=Northwind Nord"])
                org.process.send(SIGINT)
                let waiting = try await org.process.errorLine("Stopping: waiting for the answers to ")
                #expect(waiting.contains("A second signal ends at once."))
                org.process.send(SIGINT)
                #expect(try await org.process.errorLine("The org stopped; ").contains("0 pushes were accepted, "))
                #expect(await org.process.status() == 0)
                await device.stop()
            }
        }
    }

    @Test func `a device registers itself for its user and its app, and keeps its row when it starts again`()
        async throws
    {
        try await withOrgAndGateway { org, gateway, command in
            #expect(try await registry(org, command).isEmpty)
            _ = try await org.run(
                command, ["call", "PUT", "clock", #"{"mode":"manual","now":"2026-05-20T20:49:32Z"}"#])
            await (try device(org, gateway, command)).stop()
            let first = try #require(try await registry(org, command).first)
            #expect(first["device"] as? String == "0000…0a9c" && first["bundle"] as? String == "com.example.agent")

            // As its user sees it, who alone sees the device token whole.
            let query = "SELECT Id, ConnectionToken, ServiceType, ApplicationBundle FROM MobilePushServiceDevice"
            var address = try #require(URLComponents(string: org.url + "/services/data/v66.0/query"))
            address.queryItems = [URLQueryItem(name: "q", value: query)]
            var request = URLRequest(url: try #require(address.url))
            request.setValue("Bearer \(try await login(org, command))", forHTTPHeaderField: "authorization")
            let (data, _) = try await URLSession.shared.data(for: request)
            let rows = try JSONText.object(String(decoding: data, as: UTF8.self))["records"] as? [[String: Any]]
            #expect(rows?.count == 1 && rows?.first?["Id"] as? String == first["id"] as? String)
            #expect(rows?.first?["ConnectionToken"] as? String == Self.token)
            #expect(rows?.first?["ServiceType"] as? String == "Apple")
            #expect(rows?.first?["ApplicationBundle"] as? String == "com.example.agent")

            _ = try await org.run(command, ["call", "POST", "clock/advance", #"{"by":"1h"}"#])
            await (try device(org, gateway, command)).stop()
            let again = try await registry(org, command)
            #expect(again.count == 1 && again.first?["id"] as? String == first["id"] as? String)
            // Later than a 410 of the hour between, which would not take it out.
            #expect(again.first?["registered"] as? String != first["registered"] as? String)
        }
    }

    @Test func `a device that the org does not register reports that and continues`() async throws {
        try await withOrgAndGateway { org, gateway, command in
            let refused = try await device(org, gateway, command, access: "a-token-that-is-none")
            #expect(
                try await refused.errorLine("the org")
                    == "the org did not register the device: 401 INVALID_SESSION_ID")
            await refused.stop()
            #expect(!refused.errors.text.contains("a-token-that-is-none"))
            let alone = try await device(org, gateway, command, access: "any", at: "http://127.0.0.1:1")
            #expect(
                try await alone.errorLine("the org did not register the device: ")
                    .contains("no org answers at http://127.0.0.1:1: is it running?"))
            await alone.stop()
            // Without a log-in it does not even try.
            let other = try await device(org, gateway, command, access: "")
            await other.stop()
            #expect(!other.errors.text.contains("register"))
            #expect(try await registry(org, command).isEmpty)
        }
    }

    @Test func `an uninstalled app is reported by 410, and the device leaves the registry`() async throws {
        try await withOrgAndGateway { org, gateway, command in
            let device = try await device(org, gateway, command)
            #expect(try await org.run(command, ["call", "GET", "devices"]).contains("0000…0a9c"))
            await device.stop()
            #expect(try await gateway.call("DELETE", "/api/devices/\(Self.token)").status < 300)
            _ = try await org.run(command, ["edit", "Account", "--all", "Type=Customer"])
            let follow = try command.start(["org", "log", "--follow"] + org.at)
            try await follow.line("DEVICE_REMOVED")
            follow.send(SIGINT)
            #expect(await follow.status() == 0)
            #expect(try await org.run(command, ["call", "GET", "devices"]) == #"{"devices":[]}"# + "\n")
            let log = try await org.run(command, ["log"])
            #expect(log.contains("reason=Unregistered"))
        }
    }

    @Test func `explain says who got a push, who did not, and why, down to the delivery`() async throws {
        let document = """
            users: [{name: ada@example.com}, {name: bob}]
            objects: [{name: Account, trigger: modifier}]
            records: [{object: Account, id: 001xx000003DGb2, owner: ada@example.com, fields: {Name: Nord}}]
            """
        try await withLocalGateway { gateway, command in
            try command.write(document, to: "org.yaml")
            let org = try await Org(
                command, gatewayOptions(gateway) + ["--org", "org.yaml", "--gateway-control", gateway["control"]])
            try await org.process.stopped {
                let device = try await device(org, gateway, command)
                _ = try await org.run(command, ["edit", "Account", "--all", "Name=South"])
                _ = try await device.line("received")
                let follow = try command.start(["org", "log", "--follow"] + org.at)
                try await follow.line("GATEWAY_ACCEPTED")
                follow.send(SIGINT)
                _ = await follow.status()
                let text = try await org.run(command, ["explain", "001xx000003DGb2"])
                for line in [
                    "  trigger  fired: watched fields differ: Name\n", "  device 0000…0a9c, registered ",
                    "    org      sent: ", "    gateway  200\n", "    device   delivered at ",
                ] { #expect(text.contains(line), "\(text)") }
                #expect(!text.contains(Self.token))

                _ = try await org.run(command, ["edit", "Account", "--all", "Name=West", "--source", "agent"])
                let newest = try await org.run(command, ["explain", "--json"])
                #expect(
                    newest.contains("changes of this source are ignored: agent") && newest.contains(#""pushes":[]"#))
                #expect(
                    try await org.run(command, ["explain", "--change", "1"])
                        == text.replacing(
                            " (the record's other changes: 2)", with: ""))
                let unknown = try await command.run(["org", "explain", "--change", "9"] + org.at)
                #expect(unknown.status == 1 && unknown.errors.contains("there is no change 9"), "\(unknown.text)")
                await device.stop()
            }
        }
    }

    @Test func `without a gateway to ask, explain says that the org does not know`() async throws {
        try await withLocalGateway { gateway, command in
            let org = try await Org(
                command, gatewayOptions(gateway) + ["--gateway-control", "http://127.0.0.1:1"])
            try await org.process.stopped {
                let device = try await device(org, gateway, command)
                _ = try await org.run(command, ["edit", "Account", "--all", "Name=South"])
                let follow = try command.start(["org", "log", "--follow"] + org.at)
                for _ in 1...3 { try await follow.line("GATEWAY_ACCEPTED") }
                follow.send(SIGINT)
                _ = await follow.status()
                let text = try await org.run(command, ["explain"])
                #expect(
                    text.contains("unknown: the gateway's control API at http://127.0.0.1:1 does not answer"), "\(text)"
                )
                await device.stop()
            }
        }
    }

    @Test func `a bulk update fails as a whole with the reference trigger, and goes through with a good one`()
        async throws
    {
        let document = """
            objects:
              - {name: Account, trigger: {flaws: [own-echo]}}
              - {name: Interaction}
              - {name: Contact, prefix: "003", trigger: {type: ACCOUNT_UPDATE, id-key: accountId, fields: [Name]}}
            records:

            """
        var text = document
        for number in 0..<12 {
            text +=
                "  - {object: Account, fields: {Name: A\(number)}}\n  - {object: Contact, fields: {Name: C\(number)}}\n"
        }
        try await withCommand { command in
            try command.write(text, to: "org.yaml")
            let org = try await Org(command, ["--org", "org.yaml"])
            let contacts = try await command.run(["org", "edit", "Contact", "--all", "Name=B"] + org.at)
            #expect(contacts.status == 1)
            #expect(contacts.errors.contains("Too many mobile push Apex calls: 11"))
            #expect(try await org.run(command, ["records", "Contact"]).contains("Name=C11"))
            #expect(
                try await org.run(command, ["edit", "Account", "--all", "Name=B"])
                    == "12 records changed, 12 push calls\n")
            await org.process.stop()
        }
    }

    @Test func `without a gateway pushes are logged, and records are created and deleted`() async throws {
        try await withOrg { org, command in
            #expect(org.facts["gateway"] is NSNull)
            let id = try await org.run(command, ["create", "Account", "Name=New", "Phone:=7"])
                .trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(try await org.run(command, ["records", "Account"]).contains("\(id)  Name=New"))
            _ = try await org.run(command, ["edit", "Account", id, "Name=Newer", "--user", "ada@example.com"])
            #expect(try await org.run(command, ["log"]).contains("PUSH_NOTIFICATION_NO_DEVICES"))
            let entry = try await org.run(command, ["log", "--json", "--after", "0"]).split(separator: "\n")[0]
            #expect(try JSONText.object(entry)["number"] as? Int == 1)
            #expect(try await org.run(command, ["delete", id]).isEmpty)
            let again = try await command.run(["org", "delete", id] + org.at)
            #expect(again.status == 1 && again.errors.contains("ENTITY_IS_DELETED"))
        }
    }

    @Test func `a log that is followed goes on after a reset`() async throws {
        try await withOrg { org, command in
            for type in ["Customer", "Partner"] {
                _ = try await org.run(command, ["edit", "Account", "--all", "Type=" + type])
            }
            let follow = try command.start(["org", "log", "--follow"] + org.at)
            try await follow.line("PUSH_NOTIFICATION_NO_DEVICES")
            _ = try await org.run(command, ["call", "POST", "reset"])
            try await follow.errorLine("the org was reset: its log began anew")
            _ = try await org.run(command, ["call", "POST", "expire"])
            try await follow.line("SESSIONS_EXPIRED")
            follow.send(SIGINT)
            #expect(await follow.status() == 0)
        }
    }

    @Test func `records of more than a megabyte are listed`() async throws {
        let records = (0..<40).map { "  - {object: Account, fields: {Name: A\($0)}}" }
        try await withCommand { command in
            try command.write("records:\n" + records.joined(separator: "\n") + "\n", to: "org.yaml")
            let org = try await Org(command, ["--org", "org.yaml"])
            try await org.process.stopped {
                let text = String(repeating: "1", count: 30_000)
                #expect(
                    try await org.run(command, ["edit", "Account", "--all", "Phone=" + text])
                        == "40 records changed, 0 push calls\n")
                let listed = try await org.run(command, ["records", "Account", "--json"])
                #expect(listed.utf8.count > 1 << 20 && listed.split(separator: "\n").count == 40)
            }
        }
    }

    @Test func `log-ins, the clock and faults are there for scripts`() async throws {
        try await withOrg { org, command in
            let login = try JSONText.object(try await org.run(command, ["login", "ada@example.com", "--json"]))
            #expect(login["instance_url"] as? String == org.url)
            let token = try #require(login["access_token"] as? String)
            let get = { (path: String) in
                var request = URLRequest(url: try #require(URL(string: org.url + "/services/data/v66.0/" + path)))
                request.setValue("Bearer \(token)", forHTTPHeaderField: "authorization")
                let (_, response) = try await URLSession.shared.data(for: request)
                return (response as? HTTPURLResponse)?.statusCode
            }
            #expect(try await get("limits") == 200)
            _ = try await org.run(
                command, ["call", "POST", "faults", #"{"effect":{"refuse":{"status":503}},"count":1}"#])
            #expect(try await get("limits") == 503)
            #expect(try await get("limits") == 200)
            _ = try await org.run(command, ["call", "POST", "clock/advance", #"{"by":"2h"}"#])
            #expect(try await get("limits") == 401)
            #expect(!org.process.errors.text.contains(token))
        }
    }

    @Test func `--verbose prints the log on stderr, without device tokens`() async throws {
        try await withOrg(["--verbose"]) { org, command in
            let token = try await org.run(command, ["login", "ada@example.com"])
                .trimmingCharacters(in: .whitespacesAndNewlines)
            _ = try await org.run(command, ["edit", "Account", "--all", "Type=Customer"])
            try await org.process.errorLine("PUSH_NOTIFICATION_NO_DEVICES")
            #expect(!org.process.errors.text.contains(token))
        }
    }

    @Test func `a person reads where it is, with lines to paste`() async throws {
        try await withCommand { command in
            let org = try command.start(["org", "--port", "0"])
            try await org.line("The simulated org is running.")
            let line = try await org.line("org edit Account --all")
            try await org.line("Ctrl-C stops the org.")
            let arguments = line.split(separator: " ").map(String.init)
            let result = try await command.run(Array(arguments.dropFirst()))
            #expect(result.status == 0, "\(result.text)")
            await org.stop()
        }
    }

    @Test func `a document with slips starts nothing and names them all`() async throws {
        try await withCommand { command in
            try command.write("users:\n  - {nam: ada}\nrecords:\n  - {object: Nope}\n", to: "org.yaml")
            let result = try await command.run(["org", "--port", "0", "--org", "org.yaml"])
            #expect(result.status == 2)
            #expect(result.errors.contains("org.yaml:2:") && result.errors.contains("org.yaml:4:"))
            #expect(result.errors.contains("did you mean name?"))
            let missing = try await command.run(["org", "--org", "nothing.yaml"])
            #expect(missing.status == 2 && missing.errors.contains("nothing.yaml"))
            try command.write("users: [{name: ada}]", to: "good.yaml")
            let good = try await command.run(["org", "--org", "good.yaml", "--check"])
            #expect(good.status == 0 && good.errors.contains("are valid"))
        }
    }

    @Test(arguments: [
        ["org", "--port", "70000"], ["org", "--control-token", "short"], ["org", "edit", "Account", "x"],
        ["org", "edit", "Account", "Name=x"], ["org", "edit", "Account", "--all", "x", "Name=x"],
        ["org", "edit", "Account", "--all", "A=x", "A=y"], ["org", "delete", "x", "--transaction", "10x"],
        ["org", "edit", "Account", "--all", "Phone:=x"], ["org", "edit", "Account", "--all", "A=x", "--source", "app"],
        ["org", "edit", "Account", "--all", "A=x", "--source", "agent", "--flow"], ["org", "explain", "--change", "0"],
        ["org", "--gateway-control", "nowhere"], ["org", "log", "--at", "nowhere"], ["org", "call", "LOOK"],
        ["org", "call", "POST", "faults", "{"], ["org", "login"], ["org", "records", "Account", "--limit", "0"],
    ])
    func `bad arguments are refused`(arguments: [String]) async throws {
        try await withCommand { command in
            let result = try await command.run(arguments)
            #expect(result.status == 64, "\(result.text)")
        }
    }

    @Test func `it does not start on other addresses without a token, nor on a port that is taken`() async throws {
        try await withOrg { org, command in
            let open = try await command.run(["org", "--port", "0", "--host", "0.0.0.0"])
            #expect(open.status == 2 && open.errors.contains("--control-token"))
            let port = String(org.url.split(separator: ":").last ?? "")
            let taken = try await command.run(["org", "--port", port])
            #expect(taken.status == 2 && taken.errors.contains("--port"))
            let result = try await command.run(["org", "log", "--at", "http://127.0.0.1:1"])
            #expect(result.status == 2 && result.errors.contains("is it running?"))
        }
    }

    @Test func `with a control token the subcommands take it from the environment`() async throws {
        try await withCommand { command in
            let secret = ["APNS_ORG_CONTROL_TOKEN": "a-token-that-is-long"]
            let org = try await Org(command, environment: secret)
            let refused = try await command.run(["org", "records", "Account"] + org.at)
            #expect(refused.status == 1 && refused.errors.contains("401"))
            let taken = try await command.run(["org", "records", "Account"] + org.at, environment: secret)
            #expect(taken.status == 0 && taken.output.contains("Northwind Clinic"))
            await org.process.stop()
        }
    }
}
