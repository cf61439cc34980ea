import APNSModel
import GatewayConfiguration
import GatewayCore
import GatewayTestSupport
import Synchronization
import Testing

@testable import GatewayServer

struct RefusalLogTests {
    @Test func `a reason is logged once a minute, and no more than sixteen in one`() {
        let lines = LoggedLines()
        var configuration = GatewayConfiguration()
        configuration.log(to: lines)
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let log = RefusalLog(configuration.logger) { start + passed.withLock { $0 } }
        for _ in 1...3 { log.connectionRefused(GoAway(.badCertificate, "it expired")) }
        #expect(lines.all == ["warning A connection was refused with BadCertificate: it expired: "])
        passed.withLock { $0 = .seconds(59) }
        log.connectionRefused(GoAway(.badCertificate, "it expired"))
        #expect(lines.all.count == 1)
        passed.withLock { $0 = .seconds(60) }
        for number in 1...100 { log.connectionRefused(GoAway(.badCertificate, "reason \(number)")) }
        #expect(lines.all.count == 17)
        passed.withLock { $0 = .seconds(120) }
        log.connectionRefused(GoAway(.badCertificate, "reason 100"))
        #expect(lines.all.last?.contains("reason 100") == true)
    }
}
