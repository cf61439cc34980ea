import APNSModel
import APNSProvider
import Doctor
import Foundation
import GatewayCore
import GatewayServer
import GatewayTesting
import ProviderToken
import Testing

@testable import DoctorProbes

/// Runs against the gateway. `FaultExaminationTests` has the faults that it can play.
@Suite(.timeLimit(.minutes(10))) struct ExaminationTests {
    @Test func `where all is well nothing fails, and the device gets one push`() async throws {
        try await withExamination { gateway, settings in
            var settings = settings
            settings.deviceToken = deviceToken
            let examined = await Examined(settings)
            #expect(examined.failed == [], "\(examined.results)")
            for check in [
                "key-form", "provider-token", "port", "tls-handshake", "tls-chain", "tls-issuer", "alpn", "http2",
            ] {
                #expect(examined[check] == .pass, "\(examined.message(check))")
            }
            for check in ["identity", "topic-allowed", "device-token-known", "device-token-active", "push-accepted"] {
                #expect(examined[check] == .pass, "\(examined.message(check))")
            }
            #expect(examined["device-unseen"] == .skip)
            #expect(gateway.deliveries(to: deviceToken).count == 1)
            #expect(examined.results.map(\.check) == DoctorCheck.all.map(\.id))
        }
    }

    @Test func `without a device token no device gets a push, and topic and device are not judged`() async throws {
        try await withExamination(devices: .open) { gateway, settings in
            let examined = await Examined(settings)
            #expect(examined["identity"] == .pass)
            for check in ["topic-allowed", "device-token-form", "device-token-known", "push-accepted"] {
                #expect(examined[check] == .skip)
            }
            let requests = gateway.notifications()
            #expect(requests.count == 1)
            #expect(requests.first?.reason == .badDeviceToken)
        }
    }

    @Test func `a key of another team, an unknown key and a wrong key id are refused identities`() async throws {
        try await withExamination { gateway, settings in
            guard case .key(.file(let path), _, _) = settings.identity else {
                Issue.record("the settings have no key in a file")
                return
            }
            for (keyID, teamID) in [(nil, "WRONGTEAM1"), ("WRONGKEY01", gateway.teamID.value)] as [(String?, String)] {
                var settings = settings
                settings.identity = .key(.file(path: path), keyID: keyID, teamID: teamID)
                settings.deviceToken = deviceToken
                let examined = await Examined(settings)
                #expect(examined["identity"] == .fail)
                #expect(examined.message("identity").contains("InvalidProviderToken"))
                #expect(examined["device-token-known"] == .skip, "nothing is known about the device token")
            }
            var other = settings
            let text = String(decoding: try SigningKey.generate().p8, as: UTF8.self)
            other.identity = .key(
                .variable(name: "APNS_KEY", text: text), keyID: gateway.keyID.value, teamID: gateway.teamID.value)
            let examined = await Examined(other)
            #expect(examined.failed == ["key-file", "identity"])
            #expect(gateway.deliveries(to: deviceToken).isEmpty)
        }
    }

    @Test func `a wrong topic is found with a device token only`() async throws {
        try await withExamination { _, settings in
            var settings = settings
            settings.topic = "com.example.unknown"
            #expect(await Examined(settings).failed == [])
            settings.deviceToken = deviceToken
            let examined = await Examined(settings)
            #expect(examined["topic-allowed"] == .fail)
            #expect(examined["device-token-known"] == .pass)
        }
    }

    @Test func `a device token of another app is known, and not for the topic`() async throws {
        try await withExamination { gateway, settings in
            var settings = settings
            settings.deviceToken = String(repeating: "ab", count: 32)
            try gateway.register(device: settings.deviceToken, topic: gateway.topic.value + ".voip")
            let examined = await Examined(settings)
            #expect(examined.failed == ["device-token-topic", "push-accepted"])
        }
    }

    @Test func `an app that was removed is told with the time`() async throws {
        try await withExamination { gateway, settings in
            try gateway.uninstall(device: deviceToken)
            var settings = settings
            settings.deviceToken = deviceToken
            let examined = await Examined(settings)
            #expect(examined.failed == ["device-token-active", "push-accepted"])
            #expect(examined.message("device-token-active").contains("since 20"))
        }
    }

    @Test func `a device token of the other environment is found there`() async throws {
        try await withExamination(environment: .production) { _, settings in
            try await withGateway(device: String(repeating: "cd", count: 32), environment: .sandbox) { sandbox in
                var settings = settings
                settings.deviceToken = String(repeating: "cd", count: 32)
                settings.other = sandbox.configuration.gateway
                let examined = await Examined(settings)
                #expect(examined["identity"] == .pass)
                #expect(examined["key-environment"] == .pass)
                #expect(examined.failed == ["device-token-known", "push-accepted"])
                #expect(examined.message("device-token-known").contains("and the other environment does"))
                #expect(sandbox.deliveries(to: String(repeating: "cd", count: 32)).count == 1)
            }
        }
    }

    @Test func `a key of the other environment is told apart from a wrong key`() async throws {
        try await withExamination(environment: .production) { gateway, settings in
            try await withGateway(environment: .sandbox) { sandbox in
                let key = try SigningKey.generate()
                for target in [gateway, sandbox] {
                    try target.running.register(
                        ProviderKey(
                            keyID: "SANDBOX001", teamID: gateway.teamID.value, verifyingKey: key.publicKey,
                            environments: [.sandbox]))
                }
                let text = String(decoding: try key.p8, as: UTF8.self)
                var settings = settings
                settings.identity = .key(
                    .variable(name: "APNS_KEY", text: text), keyID: "SANDBOX001", teamID: gateway.teamID.value)
                settings.other = sandbox.configuration.gateway
                let examined = await Examined(settings)
                #expect(examined.failed == ["key-file", "identity", "key-environment"])
                #expect(examined.message("key-environment").contains("they are for"))
            }
        }
    }

    @Test func `a key for other topics is found with a device token`() async throws {
        try await withExamination { gateway, settings in
            let key = try SigningKey.generate()
            try gateway.running.register(
                ProviderKey(
                    keyID: "TOPICKEY01", teamID: gateway.teamID.value, verifyingKey: key.publicKey,
                    kind: .topics(["com.example.other"]), environments: [.sandbox]))
            let text = String(decoding: try key.p8, as: UTF8.self)
            var settings = settings
            settings.identity = .key(
                .variable(name: "APNS_KEY", text: text), keyID: "TOPICKEY01", teamID: gateway.teamID.value)
            settings.deviceToken = deviceToken
            let examined = await Examined(settings)
            #expect(examined["identity"] == .pass)
            #expect(examined["topic-allowed"] == .fail)
        }
    }

    @Test func `a clock that is two hours wrong is found by the answer to the provider token`() async throws {
        let now = ExaminationSettings.machineSeconds
        try await withExamination(clock: .manual(startingAt: now + 7_200)) { _, settings in
            let examined = await Examined(settings)
            #expect(examined["identity"] == .fail)
            #expect(examined.message("identity").contains("its clock is more than an hour wrong"))
        }
        try await withExamination(clock: .manual(startingAt: now - 7_200)) { _, settings in
            #expect(await Examined(settings)["identity"] == .fail)
        }
    }

    @Test(arguments: ContestedSetting.all.flatMap { setting in setting.words.map { [setting.name, $0] } })
    func `no open question about APNs makes a sound set-up fail`(_ setting: [String]) async throws {
        // Registers no key for both environments, so the key of the gateway cannot be.
        guard setting != ["team-key-environments", "one"] else { return }
        try await withExamination(contested: [setting[0]: setting[1]]) { _, settings in
            var settings = settings
            settings.deviceToken = deviceToken
            let examined = await Examined(settings)
            #expect(examined.failed == [], "\(examined.results)")
            #expect(examined["identity"] == .pass && examined["push-accepted"] == .pass)
        }
    }

    @Test(arguments: Reason.deviceReasons.map(\.reason))
    func `whatever the gateway refuses with, no check passes on it by mistake`(_ reason: Reason) async throws {
        try await withExamination { gateway, settings in
            try gateway.add(.refuse(reason), count: nil)
            var settings = settings
            settings.deviceToken = deviceToken
            let examined = await Examined(settings)
            let isAfter = [
                Reason.badDeviceToken, .topicDisallowed, .deviceTokenNotForTopic, .unregistered, .expiredToken,
                .tooManyRequests,
            ].contains(reason)
            #expect((examined["identity"] == .pass) == isAfter, "\(examined.message("identity"))")
            #expect(examined["push-accepted"] != .pass)
            #expect(examined["http2"] == .pass)
        }
    }

    @Test func `offline, nothing is asked, and no check of the network passes`() async throws {
        try await withExamination { gateway, settings in
            var settings = settings
            settings.isOffline = true
            settings.deviceToken = deviceToken
            let examined = await Examined(settings)
            #expect(gateway.notifications().isEmpty)
            for result in examined.results where ![.key, .clock, .topic, .device].contains(result.layer) {
                #expect(result.state == .skip, "\(result)")
            }
            #expect(examined["key-kind"] == .pass && examined["topic-form"] == .pass)
            #expect(examined["topic-allowed"] == .skip && examined["push-accepted"] == .skip)
        }
    }

    @Test func `without credentials the connection is looked at all the same`() async throws {
        try await withExamination { gateway, settings in
            var settings = settings
            settings.identity = .none
            let examined = await Examined(settings)
            #expect(examined.failed == ["credentials-given"])
            #expect(examined["http2"] == .pass && examined["identity"] == .skip)
            #expect(gateway.notifications().isEmpty)
        }
    }

    @Test func `no push is sent to what is no device token, nor for a topic with a suffix, nor without a topic`()
        async throws
    {
        try await withExamination { gateway, settings in
            for (topic, token) in [
                (settings.topic, "xyz"), ("\(gateway.topic.value).voip", deviceToken), (nil, deviceToken),
            ] as [(String?, String)] {
                var settings = settings
                settings.topic = topic
                settings.deviceToken = token
                let examined = await Examined(settings)
                #expect(examined["identity"] == .pass, "\(examined.message("identity"))")
                #expect(examined["push-accepted"] == .skip)
            }
            #expect(gateway.deliveries(to: deviceToken).isEmpty)
        }
    }

    @Test func `the engine of a queue is asked, and a probe that throws is a fault of its own`() async throws {
        struct Fault: Error {}
        struct Probe: QueueProbing {
            var fails = false

            func evidence(within limit: Duration) async throws -> QueueEvidence {
                if fails { throw Fault() }
                return QueueEvidence(engine: .redis, address: "localhost:1/0", failure: "connection refused")
            }
        }
        try await withExamination { _, settings in
            var settings = settings
            settings.queue = Probe()
            #expect(await Examined(settings).failed == ["queue-reached"])
            settings.queue = Probe(fails: true)
            let examined = await Examined(settings)
            #expect(examined.message("queue-reached").contains("the check itself failed"))
        }
    }

    @Test func `runs that follow each other send the same provider token`() async throws {
        try await withExamination { _, settings in
            #expect(await Examined(settings).message("provider-token").contains("was signed"))
            #expect(await Examined(settings).message("provider-token").contains("is used again"))
            var later = settings
            later.now = { ExaminationSettings.machineSeconds + 1200 }
            #expect(await Examined(later).message("provider-token").contains("was signed"))
        }
    }
}
