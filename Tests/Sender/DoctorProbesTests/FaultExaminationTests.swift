import Doctor
import GatewayTesting
import Testing

@testable import DoctorProbes

/// Runs against the gateway, with each fault that it can play.
@Suite(.timeLimit(.minutes(10))) struct FaultExaminationTests {
    @Test(arguments: FaultCase.all)
    func `a fault of the gateway fails what it is seen by, and nothing else`(_ test: FaultCase) async throws {
        try await withExamination { gateway, settings in
            try gateway.add(test.fault, to: test.isForDevice ? FaultMatch(device: deviceToken) : .any, count: nil)
            var settings = settings
            settings.timeout = .seconds(3)
            settings.deviceToken = deviceToken
            let examined = await Examined(settings)
            #expect(examined.failed == test.failed, "\(examined.results)")
            #expect(examined.summary[.fail] == test.failed.count)
            #expect(examined["identity"] == test.identity, "\(examined.message("identity"))")
            #expect(examined["push-accepted"] == test.pushAccepted, "\(examined.message("push-accepted"))")
            // What TLS does not let through is not judged; everything else shows a sound connection.
            let connection: DoctorState = test.failed.contains("tls-handshake") ? .skip : .pass
            #expect(examined["http2"] == connection && examined["port"] == .pass)
            for check in ["topic-allowed", "device-token-known", "device-token-active"] {
                #expect(examined[check] == (test.pushAccepted == .pass ? .pass : .skip), "\(examined.message(check))")
            }
            #expect(examined.results.map(\.check) == DoctorCheck.all.map(\.id))
            #expect(!examined.results.contains { $0.message.contains("the check itself failed") })
            #expect(gateway.deliveries(to: deviceToken).count == test.deliveries)
        }
    }

    @Test func `a refusal whose body does not come in time is not one without a reason`() async throws {
        try await withExamination { gateway, settings in
            try gateway.add(.slowBody(.never), count: nil)
            var settings = settings
            settings.timeout = .seconds(4)
            settings.deviceToken = deviceToken
            let examined = await Examined(settings)
            for check in ["identity", "push-accepted"] {
                let message = examined.message(check)
                #expect(message.contains("status 400, and its body did not come in time"), "\(message)")
            }
        }
    }

    @Test func `an app that a fault removes is found by the next run, once the gateway knows`() async throws {
        try await withExamination { gateway, settings in
            try gateway.add(.uninstall(noticedAfter: .fixed(.zero)), to: FaultMatch(device: deviceToken))
            var settings = settings
            settings.deviceToken = deviceToken
            #expect(await Examined(settings).failed == [])
            let examined = await Examined(settings)
            #expect(examined.failed == ["device-token-active", "push-accepted"], "\(examined.results)")
            #expect(gateway.deliveries(to: deviceToken).isEmpty)
        }
    }
}
