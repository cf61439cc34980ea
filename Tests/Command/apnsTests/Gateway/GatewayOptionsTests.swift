import ArgumentParser
import GatewayCore
import Testing

@testable import apns

struct GatewayOptionsTests {
    @Test(arguments: [
        (["--port", "70000"], "a port from 0 to 65535"), (["--retain", "0"], "a number from 1"),
        (["--idle-timeout", "0s"], "a duration like"), (["--unregistered-delay", "-1s"], "Missing value"),
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

    @Test func `off is a rate without a limit`() throws {
        #expect(try GatewayRateOption("off").rate == nil)
        #expect(try GatewayRateOption("10/1m").rate?.count == 10)
    }
}
