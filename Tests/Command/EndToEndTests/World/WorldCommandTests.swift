import Testing

/// `apns world` with a running gateway.
@Suite(.timeLimit(.minutes(10))) struct WorldCommandTests {
    @Test func `the gateway is that of --control, a URL or local with a port, and otherwise the newest`() async throws {
        try await withLocalGateway { gateway, command in
            for options in [["--control", gateway["control"]], ["--control", "local:\(gateway.port)"], []] {
                let made = try await command.run(["world", "make", "orders"] + options)
                #expect(made.status == 0, "\(options): \(made.text)")
                let listed = try await command.run(["world", "list"] + options)
                #expect(listed.lines.map { $0.prefix { $0 != ":" } } == ["default", "orders"], "\(listed.text)")
                let removed = try await command.run(["world", "remove", "orders"] + options)
                #expect(removed.status == 0, "\(options): \(removed.text)")
            }
            let other = try await command.run(["world", "list", "--control", "http://127.0.0.1:1"])
            #expect(other.status == 2)
            #expect(other.errors.contains("http://127.0.0.1:1"), "\(other.text)")
            let bad = try await command.run(["world", "list", "--control", "nowhere"])
            #expect(bad.status == 64, "\(bad.text)")
        }
    }

    @Test func `a world is exported to a file, and another one made of it`() async throws {
        try await withLocalGateway { gateway, command in
            let device = #"{"topic":"\#(gateway["topic"])","token":"ab12"}"#
            #expect((200...299).contains(try await gateway.call("POST", "/w/orders/api/devices", device).status))
            let control = ["--control", gateway["control"]]
            let exported = try await command.run(["world", "export", "orders"] + control)
            #expect(exported.status == 0, "\(exported.text)")
            try command.write(exported.output, to: "orders.json")
            let made = try await command.run(["world", "make", "copy", "--from", "orders.json"] + control)
            #expect(made.status == 0, "\(made.text)")
            #expect(try await gateway.call("GET", "/w/copy/api/devices/ab12").status == 200)
            let missing = try await command.run(["world", "remove", "nothing"] + control)
            #expect(missing.status == 1, "\(missing.text)")
        }
    }
}
