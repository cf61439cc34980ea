import Testing

@testable import GatewayControl

struct ControlOperationTests {
    @Test(
        arguments: [
            ("/api/devices", ["GET", "POST"], []), ("/api/devices/ab12", ["DELETE", "GET", "PATCH"], ["ab12"]),
            ("/api/clock/advance", ["POST"], []), ("/page/main.js", ["GET"], ["main.js"]), ("/", ["GET"], []),
        ] as [(String, [String], [String])])
    func `a path is found with its methods and its arguments`(path: String, methods: [String], arguments: [String]) {
        let found = ControlOperation.find(path)
        #expect(found.map(\.operation.method).sorted() == methods)
        #expect(found.allSatisfy { $0.arguments == arguments })
    }

    @Test(arguments: ["", "api/devices", "/api/devices/", "/api/devices/ab12/", "/api//ab12", "/api/nothing", "//"])
    func `an unknown path is not found`(path: String) { #expect(ControlOperation.find(path).isEmpty) }

    @Test(arguments: [
        ("registerDevice", "/api/devices/{token}", "token", "token"),
        ("makeWorld", "/api/worlds/{world}", "world", "name"), ("addWebhook", "/api/webhooks/{id}", "id", "id"),
    ])
    func `what an operation makes has a path`(id: String, path: String, argument: String, member: String) throws {
        let operation = try #require(ControlOperation.all.first { $0.id == id })
        let made = try #require(operation.makes)
        #expect(made.path == path && made.argument == argument && made.member == member)
    }

    @Test(arguments: ["listDevices", "reset", "advanceClock", "removeWebhook"])
    func `an operation that makes nothing has no path`(id: String) throws {
        let operation = try #require(ControlOperation.all.first { $0.id == id })
        #expect(operation.makes?.path == nil)
    }
}
