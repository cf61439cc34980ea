import APNSModel
import Testing

@testable import GatewayCore

struct GatewayConnectionTests {
    static let certificate = ClientCertificate(environments: [.sandbox], uid: Scenario.topic)

    func opening(_ certificate: ClientCertificate?, _ environment: APNSEnvironment = .sandbox) throws
        -> GatewayConnection.Opening?
    {
        try Scenario().with {
            $0.certificate = certificate
            $0.environment = environment
        }.run().opening
    }

    @Test func `a token connection starts with one stream and the settings of APNs`() throws {
        guard case .settings(let settings) = try opening(nil) else {
            Issue.record("not opened")
            return
        }
        #expect(settings.maximumConcurrentStreams == 1)
        #expect(settings.headerTableSize == 4096)
        #expect(settings.initialWindowSize == 65_535)
        #expect(settings.maximumFrameSize == 16_384)
        #expect(settings.maximumHeaderListSize == 8000)
    }

    @Test func `a certificate connection starts with 1000 streams`() throws {
        #expect(try opening(Self.certificate) == .settings(ConnectionSettings(maximumConcurrentStreams: 1000)))
    }

    @Test func `the first good provider token raises the streams to 1000, once`() throws {
        var running = try Scenario().run()
        #expect(try running.send(Scenario().with { $0.hasAuthorization = false }).streamLimit == nil)
        #expect(try running.send(Scenario().with { $0.age = 4000 }).streamLimit == nil)
        #expect(try running.send(Scenario()).streamLimit == 1000)
        #expect(try running.send(Scenario()).streamLimit == nil)
    }

    @Test func `a good provider token raises the streams even when the notification is refused`() throws {
        var running = try Scenario().run()
        #expect(try running.send(Scenario().with { $0.head.topic = nil }).streamLimit == 1000)
    }

    @Test func `a refusal can take the connection back to one stream until the next acceptance`() throws {
        let scenario = Scenario().with { $0.settings.contested.dropsStreamsAfterRefusal = true }
        var running = try scenario.run()
        let bad = scenario.with { $0.head.topic = nil }
        #expect(try running.send(bad).streamLimit == nil)
        #expect(try running.send(scenario).streamLimit == 1000)
        #expect(try running.send(bad).streamLimit == 1)
        #expect(try running.send(bad).streamLimit == nil)
        #expect(try running.send(scenario).streamLimit == 1000)
    }

    static let faulty: [(ClientCertificate, Reason)] = [
        (
            ClientCertificate(verification: .untrusted("self-signed"), environments: [.sandbox], uid: "a"),
            .badCertificate
        ),
        (ClientCertificate(validUntil: Scenario.start - 1, environments: [.sandbox], uid: "a"), .badCertificate),
        (ClientCertificate(validFrom: Scenario.start + 1, environments: [.sandbox], uid: "a"), .badCertificate),
        (ClientCertificate(environments: [.sandbox], uid: nil), .badCertificate),
        (ClientCertificate(environments: [.production], uid: "a"), .badCertificateEnvironment),
        (ClientCertificate(environments: [], uid: "a"), .badCertificateEnvironment),
    ]

    @Test(arguments: faulty)
    func `a faulty certificate ends the connection with its reason`(certificate: ClientCertificate, reason: Reason)
        throws
    {
        guard case .goAway(let goAway) = try opening(certificate) else {
            Issue.record("opened")
            return
        }
        #expect(goAway.reason == reason)
        #expect(String(decoding: goAway.debugData, as: UTF8.self) == #"{"reason":"\#(reason.code)"}"#)
    }

    @Test(arguments: faulty)
    func `or it refuses each request, when so set`(certificate: ClientCertificate, reason: Reason) throws {
        let scenario = Scenario().with {
            $0.certificate = certificate
            $0.settings.contested.certificateFault = .response
        }
        #expect(try scenario.verdict().reason == reason)
    }

    @Test func `the debug data of BadCertificateEnvironment has the 38 bytes seen on the wire`() {
        #expect(GoAway(.badCertificateEnvironment, "").debugData.count == 38)
    }

    @Test func `a certificate is good on its last day`() throws {
        let certificate = ClientCertificate(
            validFrom: Scenario.start, validUntil: Scenario.start, environments: [.sandbox], uid: Scenario.topic)
        #expect(try opening(certificate) == .settings(ConnectionSettings(maximumConcurrentStreams: 1000)))
    }

    @Test func `of several reasons to refuse every request the one with precedence is kept`() {
        var connection = GatewayConnection(environment: .sandbox)
        let fault = GatewayConnection.Refusal.certificateFault(Objection(.badCertificate, "expired"))
        let reasons: [GatewayConnection.Refusal] = [.expiredProviderToken, fault, .idleTimedOut]
        for reason in reasons {
            connection.refuse(because: reason)
            #expect(connection.refusal == reason)
        }
        for reason in reasons {
            connection.refuse(because: reason)
            #expect(connection.refusal == .idleTimedOut)
        }
    }

    @Test func `over a certificate the authorization header is ignored and one topic need not be named`() throws {
        let scenario = Scenario().with {
            $0.certificate = Self.certificate
            $0.authorization = "bearer nonsense"
            $0.head.topic = nil
        }
        var running = try scenario.run()
        let judgement = try running.send(scenario)
        #expect(judgement.verdict.isAccepted)
        #expect(judgement.streamLimit == nil)
        #expect(running.world.notification(judgement.sequence)?.topic == Scenario.topic)
    }

    @Test func `a certificate with several topics wants one named, and takes no other`() throws {
        let scenario = Scenario().with {
            $0.certificate = ClientCertificate(
                environments: [.sandbox], uid: Scenario.topic, listedTopics: [Scenario.topic, Scenario.topic + ".voip"])
            $0.hasAuthorization = false
        }
        #expect(try scenario.verdict().isAccepted)
        #expect(try scenario.with { $0.head.topic = nil }.verdict().reason == .missingTopic)
        let other = scenario.with { $0.head.topic = Scenario.topic + ".complication" }
        #expect(try other.verdict().reason == .topicDisallowed)
    }

    @Test func `mdm pushes go over the certificate of an MDM server alone`() throws {
        let topic = "com.apple.mgmt.External.9d1f0a52-1111-4222-8333-abcdefabcdef"
        func scenario(_ uid: String) -> Scenario {
            Scenario().with {
                $0.certificate = ClientCertificate(environments: [.sandbox], uid: uid)
                $0.hasAuthorization = false
                $0.settings.unknownDevices = .open
                $0.devices = []
                $0.head.topic = uid
                $0.head.pushType = "mdm"
                $0.body = Array(#"{"mdm":"magic"}"#.utf8)
            }
        }
        #expect(try scenario(topic).verdict().isAccepted)
        #expect(try scenario(Scenario.topic).verdict().reason == .topicDisallowed)
    }

    @Test func `a VoIP certificate has the voip topic too`() {
        let certificate = ClientCertificate(environments: [.sandbox], uid: "com.example.a", isForVoIP: true)
        #expect(certificate.topics == ["com.example.a", "com.example.a.voip"])
    }

    @Test(arguments: [(DeviceKind.location, false), (.fileprovider, false), (.liveactivity, true), (.voip, true)])
    func `some topics take no certificate even when listed`(kind: DeviceKind, isAccepted: Bool) throws {
        let topic = Scenario.topic + kind.topicSuffix
        let scenario = Scenario().with {
            $0.certificate = ClientCertificate(environments: [.sandbox], uid: Scenario.topic, listedTopics: [topic])
            $0.devices[0].kind = kind
            $0.head.topic = topic
            $0.head.pushType = kind.rawValue
        }
        #expect(try scenario.verdict().isAccepted == isAccepted)
        let strict = scenario.with { $0.settings.contested.acceptsLiveActivityCertificates = false }
        #expect(try strict.verdict().isAccepted == (kind == .voip))
    }

    @Test func `a connection that is silent for too long ends with IdleTimeout, when so set`() {
        var connection = GatewayConnection(environment: .sandbox)
        var settings = WorldSettings()
        let never = connection.idle(for: .max, settings: settings)
        #expect(never == nil)
        settings.idleTimeout = 60_000
        let early = connection.idle(for: 59_999, settings: settings)
        #expect(early == nil)
        let late = connection.idle(for: 60_000, settings: settings)
        #expect(late?.reason == .idleTimeout)
    }
}
