import APNSModel
import Foundation
import GatewayServer
import GatewayTesting
import RepositoryFiles
import Testing

/// Every reason of docs/reference/apns.md 3.2 and 3.3, over TLS and HTTP/2.
@Suite(.timeLimit(.minutes(10)))
struct ReasonsTests {
    static let reasons = (Reason.deviceReasons + Reason.broadcastReasons).map(\.reason)

    @Test(arguments: Provocation.all)
    func `each reason is brought about by state, clock, key or request alone`(provocation: Provocation) async throws {
        try await withGateway(device: "ab12", clock: .manual()) { gateway in
            let answers = try await provocation.act(gateway)
            let said = try #require(answers.last)
            let (code, status) = (provocation.reason.code, provocation.reason.status)
            #expect(said.hasPrefix(provocation.isGoAway ? "GOAWAY {" : "\(status) {"), "\(said)")
            #expect(said.contains("\"reason\":\"\(code)\""), "\(said)")
            #expect(said.contains("\"timestamp\":") == (status == 410))
            // What comes before it on the same connection is good.
            #expect(answers.dropLast().allSatisfy { $0 == "200" }, "\(answers)")
        }
    }

    @Test(arguments: reasons)
    func `each reason is brought about by a fault rule, which needs to say no status`(reason: Reason) async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.callControl("POST", "/api/faults", ReasonsPage.rule(for: reason))
            let authorization = try gateway.signer.authorization
            let answers = try await gateway.answers(
                to: [(ReasonRequest(), authorization), (ReasonRequest(), authorization)])
            #expect(answers.first?.hasPrefix("\(reason.status) {\"reason\":\"\(reason.code)\"") == true, "\(answers)")
            #expect(answers.last == "200", "one hit is all that the rule has")
        }
    }

    @Test(arguments: [Reason.badCertificate, .badCertificateEnvironment, .idleTimeout, .shutdown])
    func `what ends a connection is brought about by a fault rule as well`(reason: Reason) async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.callControl("POST", "/api/faults", ReasonsPage.goAwayRule(for: reason))
            let answers = try await gateway.answers(to: [(ReasonRequest(), try gateway.signer.authorization)])
            #expect(answers == ["GOAWAY {\"reason\":\"\(reason.code)\"}"])
        }
    }

    @Test func `there is a provocation for every reason, and none for a reason that is not known`() {
        let provoked = Set(Provocation.all.map(\.reason))
        #expect(reasonsWithout(provoked).isEmpty)
        #expect(provoked.subtracting(Self.reasons).isEmpty)
    }

    private func reasonsWithout(_ provoked: Set<Reason>) -> [Reason] { Self.reasons.filter { !provoked.contains($0) } }

    @Test func `docs reasons md says what is tested here`() throws {
        let file = Repository.url("docs/reasons.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let fresh = try ReasonsPage.filled(page)
        if ProcessInfo.processInfo.environment["APNS_WRITE_PAGES"] != nil {
            try fresh.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(page == fresh, "write it anew: APNS_WRITE_PAGES=1 swift test --filter ReasonsTests")
        }
    }
}
