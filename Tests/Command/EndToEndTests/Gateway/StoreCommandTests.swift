import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite(.timeLimit(.minutes(10))) struct StoreCommandTests {
    @Test func `a gateway continues with its journal and its manual clock`() async throws {
        try await withCommand { command in
            let first = try await LocalGateway(command, ["--store", "gateway.sqlite", "--clock", "manual"])
            let sent = try await command.run(
                ["send", "--token", "ab12", "--alert", "Hello", "--json"] + first.options)
            #expect(sent.status == 0, "\(sent.text)")
            _ = try await first.call("POST", "/api/clock/advance", #"{"by":"2h"}"#)
            let clock = try await first.call("GET", "/api/clock").body
            await first.process.stop()

            let second = try await LocalGateway(command, ["--store", "gateway.sqlite"])
            #expect(try await second.call("GET", "/api/clock").body == clock)
            #expect(try await second.total() == 1)
            await second.process.stop()
        }
    }

    @Test func `a second gateway on the same store ends with a message`() async throws {
        try await withLocalGateway(["--store", "gateway.sqlite"]) { _, command in
            let second = try await command.run(
                ["gateway", "--port", "0", "--control-port", "0", "--store", "gateway.sqlite"])
            #expect(second.status == 2)
            #expect(second.errors.contains("gateway.sqlite is in use"))
        }
    }

    @Test(arguments: ["text.sqlite", "."])
    func `a file that is not a store ends with a message that names it`(path: String) async throws {
        try await withCommand { command in
            try command.write(String(repeating: "not a database ", count: 100), to: "text.sqlite")
            let result = try await command.run(
                ["gateway", "--port", "0", "--control-port", "0", "--store", path])
            #expect(result.status == 2)
            #expect(result.errors.contains(path))
            #expect(result.errors.contains("name"))
        }
    }
}
