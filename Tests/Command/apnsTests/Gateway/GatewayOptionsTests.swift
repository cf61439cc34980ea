import ArgumentParser
import GatewayConfiguration
import GatewayCore
import Testing

@testable import apns

struct GatewayOptionsTests {
    @Test(arguments: [
        (["--port", "70000"], "a port from 0 to 65535"), (["--retain", "0"], "a number from 1"),
        (["--idle-timeout", "0s"], "a duration like"), (["--unregistered-delay", "-1s"], "Missing value"),
        (["--grace", "11m"], "a duration such as 5s or 1m, at most 10m"), (["--grace", "soon"], "a duration such as"),
        (["--world-idle", "0s"], "a duration such as 10m or 2h, or off"),
        (["--device-rate", "ten"], "a count and a duration such as 10/1m, or off"),
        (["--budget", "loud=1/1h"], "there is no such budget"),
        (["--contested", "malformed-json"], "a name and a value such as malformed-json=refuse"),
        (["--contested", "malformed-json=perhaps"], "malformed-json is accept or refuse"),
        (["--environment", "test"], "sandbox or production"), (["--devices", "all"], "open or strict"),
        (["--webhook", "ftp://127.0.0.1/"], "http://host:port/path"), (["--key", "x"], "1 --key and 0 --team-id"),
    ])
    func `a bad value is refused with what it must be`(arguments: [String], says: String) {
        let error = #expect(throws: (any Error).self) { try GatewayCommand.parse(arguments) }
        #expect(error.map { GatewayCommand.exitCode(for: $0) } == .validationFailure)
        let message = error.map { GatewayCommand.message(for: $0) } ?? ""
        #expect(message.contains(says), "\(message)")
    }

    @Test func `a manual clock begins now and a real one is not set`() {
        #expect(GatewayClockOption.manual.worldClock(now: 5_000).mode == .manual)
        #expect(GatewayClockOption.manual.worldClock(now: 5_000).now(real: 9_000) == 5_000)
        #expect(GatewayClockOption.real.worldClock(now: 5_000).now(real: 9_000) == 9_000)
    }

    @Test func `the longest time to stop is taken, and none`() throws {
        #expect(try GatewayCommand.parse(["--grace", "10m"]).grace == .seconds(600))
        #expect(try GatewayCommand.parse(["--grace", "0s"]).grace == .zero)
    }

    @Test func `off keeps idle worlds, also where the file removes them`() throws {
        var file = GatewayConfiguration()
        file.worldIdle = 1
        let kept = try GatewayCommand.parse(["--world-idle", "off"])
        #expect(kept.given == [.worldIdle])
        #expect(try kept.configuration(over: file).worldIdle == nil)
        #expect(try GatewayCommand.parse(["--world-idle", "2h"]).configuration(over: file).worldIdle == 7_200_000)
        #expect(try GatewayCommand.parse([]).configuration(over: file).worldIdle == 1)
    }

    @Test func `off is a rate without a limit`() throws {
        #expect(try GatewayRateOption("off").rate == nil)
        #expect(try GatewayRateOption("10/1m").rate?.count == 10)
    }
}
