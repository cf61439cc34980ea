import APNSProvider
import Doctor
import Foundation
import TestSupport
import Testing

@testable import DoctorProbes
@testable import TLSSession

@Suite(.timeLimit(.minutes(10))) struct DateProbeTests {
    private let authority: DevelopmentAuthority
    private let now = ExaminationSettings.machineSeconds

    init() throws { authority = try DevelopmentAuthority(validity: CertificateValidity(days: 2, from: now)) }

    /// The result of the check `clock-offset` where a server answers with this text.
    private func offset(
        _ answer: String, validity: CertificateValidity? = nil, timeout: Duration = .seconds(10)
    ) async throws -> (DoctorState?, String) {
        var result: (DoctorState?, String) = (nil, "")
        let identity = try authority.server(validity: validity ?? CertificateValidity(days: 2, from: now))
        let context = try TLSContext.server(identity: identity, clientTrust: nil, alpn: ["http/1.1"])
        try await FaultyServer.with(.tls(context, answer)) { server in
            let now = now
            var settings = ExaminationSettings(
                identity: .none, gateway: APNSGateway(host: "localhost", port: server.port), now: { now })
            settings.proxy = .none
            settings.timeout = timeout
            settings.dateServer = settings.gateway
            settings.dateTrust = .authorities(pem: try authority.certificatePEM)
            let checks = [try #require(DoctorCheck.named("clock-offset"))]
            let examined = await Examined(settings, checks: checks)
            result = (examined["clock-offset"], examined.message("clock-offset"))
        }
        return result
    }

    private func date(_ seconds: Int64) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss"
        return format.string(from: Date(timeIntervalSince1970: Double(seconds))) + " GMT"
    }

    @Test func `a Date that agrees passes, in upper or lower case`() async throws {
        for name in ["Date", "date", "DATE"] {
            // The test may have waited for others since it began.
            let now = ExaminationSettings.machineSeconds
            let (state, message) = try await offset("HTTP/1.1 200 OK\r\nServer: x\r\n\(name): \(date(now))\r\n\r\n")
            #expect(state == .pass, "\(message)")
        }
    }

    @Test func `a clock that is three hours behind fails, and says so`() async throws {
        let (state, message) = try await offset("HTTP/1.1 404 No\r\nDate: \(date(now + 10_800))\r\n\r\n")
        #expect(state == .fail && message.contains("behind"), "\(message)")
    }

    @Test func `an answer without a Date, with a bad one, and none at all are skipped`() async throws {
        for answer in ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nDate: today\r\n\r\n", ""] {
            let (state, message) = try await offset(answer, timeout: .seconds(answer.isEmpty ? 1 : 10))
            #expect(state == .skip, "\(message)")
        }
        let (state, message) = try await offset(String(repeating: "x", count: 100_000))
        #expect(state == .skip && message.contains("too long"), "\(message)")
    }

    @Test func `a certificate that is valid at another time is a sign of a wrong clock`() async throws {
        let (state, message) = try await offset(
            "HTTP/1.1 200 OK\r\nDate: \(date(now))\r\n\r\n",
            validity: CertificateValidity(notBefore: now + 86_400, notAfter: now + 172_800))
        #expect(state == .fail && message.contains("not valid before"), "\(message)")
    }

    @Test func `a server that cannot be reached is skipped`() async throws {
        let port = try HeldPort()
        let now = now
        var settings = ExaminationSettings(
            identity: .none, gateway: APNSGateway(host: "localhost", port: port.number), now: { now })
        settings.proxy = .none
        settings.dateServer = settings.gateway
        let examined = await Examined(settings, checks: [try #require(DoctorCheck.named("clock-offset"))])
        #expect(examined["clock-offset"] == .skip)
    }
}
