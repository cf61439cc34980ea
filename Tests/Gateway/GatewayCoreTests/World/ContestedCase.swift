import APNSModel

@testable import GatewayCore
@testable import ProviderToken

/// What can be seen of each side of a contested question.
struct ContestedCase: Sendable {
    let name: String
    /// What is observed, by the word of the side.
    let outcomes: [String: String]
    let observe: @Sendable (ContestedSettings) throws -> String

    init(
        _ name: String, _ outcomes: [String: String],
        _ observe: @escaping @Sendable (ContestedSettings) throws -> String
    ) {
        self.name = name
        self.outcomes = outcomes
        self.observe = observe
    }

    static let accepted = "accepted"

    /// The reason of the verdict on a request, or that it was accepted.
    private static func verdict(
        _ name: String, _ outcomes: [String: String], _ change: @escaping @Sendable (inout Scenario) throws -> Void
    ) -> ContestedCase {
        ContestedCase(name, outcomes) { contested in
            let scenario = try Scenario().with {
                $0.settings.contested = contested
                try change(&$0)
            }
            return try scenario.verdict().reason?.code ?? accepted
        }
    }

    /// The same for a request about channels.
    private static func channelVerdict(
        _ name: String, _ kind: RequestKind, _ outcomes: [String: String],
        _ change: @escaping @Sendable (inout Scenario) throws -> Void
    ) -> ContestedCase {
        ContestedCase(name, outcomes) { contested in
            let scenario = try ChannelScenario(kind).with {
                $0.settings.contested = contested
                try change(&$0)
            }
            return try scenario.judgement().verdict.reason?.code ?? accepted
        }
    }

    /// Something of the answer to a request.
    private static func response(
        _ name: String, _ outcomes: [String: String], _ change: @escaping @Sendable (inout Scenario) throws -> Void,
        look: @escaping @Sendable (GatewayResponse) -> String
    ) -> ContestedCase {
        ContestedCase(name, outcomes) { contested in
            let scenario = try Scenario().with {
                $0.settings.contested = contested
                try change(&$0)
            }
            var running = try scenario.run()
            return try running.send(scenario).response.map(look) ?? "no answer"
        }
    }

    /// The reason of the last of several requests on one connection.
    private static func last(
        _ name: String, _ outcomes: [String: String],
        _ send: @escaping @Sendable (inout Running, Scenario) throws -> Verdict
    ) -> ContestedCase {
        ContestedCase(name, outcomes) { contested in
            let scenario = Scenario().with { $0.settings.contested = contested }
            var running = try scenario.run()
            return try send(&running, scenario).reason?.code ?? accepted
        }
    }

    private static func topicKey(_ topics: Set<String>) throws -> ProviderKey {
        ProviderKey(
            keyID: "TOPIC00001", teamID: Keys.team, verifyingKey: try Keys.first.get().publicKey, kind: .topics(topics),
            environments: [.sandbox])
    }

    /// A provider token with the claim `sub`.
    private static func authorization(subject: String) throws -> String {
        try Scenario.authorization(
            claims: #"{"iss":"\#(Keys.team)","iat":\#(Scenario.start / 1000),"sub":"\#(subject)"}"#, keyID: "TOPIC00001"
        )
    }

    /// Every question, in the order of `ContestedSetting.all`.
    static let all: [ContestedCase] = credentials + answers + requests
    static let ordered = ContestedSetting.all.compactMap { setting in all.first { $0.name == setting.name } }

    private static let credentials: [ContestedCase] = [
        verdict(
            "environment-reason", ["wire": "BadEnvironmentKeyInToken", "documented": "BadEnvironmentKeyIdInToken"]
        ) { $0.keyEnvironments = [.production] },
        verdict("provider-token-form", ["lenient": accepted, "strict": "InvalidProviderToken"]) {
            $0.authorization = try Scenario.authorization() + "=="
        },
        ContestedCase("update-scope", ["connection": accepted, "key": "TooManyProviderTokenUpdates"]) { contested in
            var running = try Scenario().with { $0.settings.contested = contested }.run()
            _ = try running.send(Scenario().with { $0.age = 1 })
            running.connection = GatewayConnection(environment: .sandbox)
            return try running.send(Scenario()).verdict.reason?.code ?? accepted
        },
        verdict(
            "topic-disallowed", ["TopicDisallowed": "TopicDisallowed", "InvalidProviderToken": "InvalidProviderToken"]
        ) { $0.apps = [] },
        verdict("live-activity-certificates", ["accept": accepted, "refuse": "TopicDisallowed"]) {
            let topic = Scenario.topic + ".push-type.liveactivity"
            $0.certificate = ClientCertificate(environments: [.sandbox], uid: Scenario.topic, listedTopics: [topic])
            $0.devices[0].kind = .liveactivity
            $0.head.topic = topic
            $0.head.pushType = "liveactivity"
        },
        ContestedCase("certificate-fault", ["goaway": "GOAWAY BadCertificate", "response": "BadCertificate"]) {
            contested in
            let scenario = Scenario().with {
                $0.settings.contested = contested
                $0.certificate = ClientCertificate(environments: [.sandbox], uid: nil)
            }
            var running = try scenario.run()
            if case .goAway(let goAway) = running.opening { return "GOAWAY \(goAway.reason.code)" }
            return try running.send(scenario).verdict.reason?.code ?? accepted
        },
        last("second-team", ["InvalidProviderToken": "InvalidProviderToken", "Forbidden": "Forbidden"]) {
            running, scenario in
            try running.world.register(
                ProviderKey(
                    keyID: "OTHERTEAM1", teamID: Keys.otherTeam, verifyingKey: try Keys.first.get().publicKey))
            try running.send(scenario)
            return try running.send(
                scenario.with {
                    $0.keyID = "OTHERTEAM1"
                    $0.teamID = Keys.otherTeam
                }
            ).verdict
        },
        last("revoked-key", ["InvalidProviderToken": "InvalidProviderToken", "Forbidden": "Forbidden"]) {
            running, scenario in
            _ = running.world.revokeKey("KEY0000001")
            return try running.send(scenario).verdict
        },
        verdict(
            "future-provider-token",
            [
                "InvalidProviderToken": "InvalidProviderToken",
                "TooManyProviderTokenUpdates": "TooManyProviderTokenUpdates",
            ]
        ) { $0.age = -3601 },
        last("after-expired-provider-token", ["usable": accepted, "spoiled": "ExpiredProviderToken"]) {
            running, scenario in
            try running.send(scenario.with { $0.age = 4000 })
            return try running.send(scenario).verdict
        },
        ContestedCase("sub-claim", ["ignore": accepted, "check": "InvalidProviderToken"]) { contested in
            func reason(_ subject: String) throws -> String {
                try Scenario().with {
                    $0.settings.contested = contested
                    $0.extraKeys = [try topicKey([Scenario.topic])]
                    $0.authorization = try authorization(subject: subject)
                }.verdict().reason?.code ?? accepted
            }
            // One that is a topic of the key is good on both sides.
            guard try reason(Scenario.topic) == accepted else { return "a good one is refused" }
            return try reason("com.example.other")
        },
        verdict("mdm-credentials", ["certificate": "TopicDisallowed", "any": accepted]) { $0.head.pushType = "mdm" },
        verdict("topic-key-suffixes", ["cover": accepted, "refuse": "TopicDisallowed"]) {
            $0.extraKeys = [try topicKey([Scenario.topic])]
            $0.keyID = "TOPIC00001"
            $0.devices[0].kind = .voip
            $0.head.topic = Scenario.topic + ".voip"
            $0.head.pushType = "voip"
        },
        ContestedCase("team-key-environments", ["any": "registered", "one": "refused"]) { contested in
            var running = try Scenario().with { $0.settings.contested = contested }.run()
            let key = ProviderKey(
                keyID: "TEAMKEY001", teamID: Keys.team, verifyingKey: try Keys.first.get().publicKey)
            do throws(RegistrationError) {
                try running.world.register(key)
                return "registered"
            } catch {
                return "refused"
            }
        },
    ]

    private static let answers: [ContestedCase] = [
        response(
            "error-body",
            [
                "compact": #"{"reason":"BadDeviceToken"} "#,
                "documented": #"{"reason" : "BadDeviceToken"} application/json"#,
            ]
        ) {
            $0.head.path = "/3/device/cafe"
        } look: {
            String(decoding: $0.body, as: UTF8.self) + " " + ($0.contentType ?? "")
        },
        response("made-apns-id", ["uppercase": "uppercase", "lowercase": "lowercase"]) {
            $0.head.apnsID = nil
        } look: {
            $0.apnsID == $0.apnsID.uppercased()
                ? "uppercase" : $0.apnsID == $0.apnsID.lowercased() ? "lowercase" : "mixed"
        },
        ContestedCase(
            "broadcast-id",
            ["apns-request-id": "apns-request-id apns-request-id", "apns-id": "apns-id apns-request-id"]
        ) { contested in
            try [RequestKind.broadcast, .listChannels].map { kind in
                let judgement = try ChannelScenario(kind).with { $0.settings.contested = contested }.judgement()
                return judgement.response?.headers[1].name ?? ""
            }.joined(separator: " ")
        },
        ContestedCase("expired-token-status", ["410": "410 true", "400": "400 false"]) { contested in
            var running = try Scenario().with { $0.settings.contested = contested }.run()
            let patch = DevicePatch(expiresAt: running.now)
            _ = running.world.patch(try Scenario().deviceToken, in: .sandbox, patch, real: 0)
            guard case .refused(let reason, let timestamp) = try running.send(Scenario()).verdict.outcome else {
                return accepted
            }
            return "\(reason.status) \(timestamp != nil)"
        },
        channelVerdict(
            "service-unavailable", .listChannels, ["joined": "ServiceUnavailable", "apart": "Service Unavailable"]
        ) { $0.settings.availability = .overloaded },
        ContestedCase("streams-after-refusal", ["keep": "nil", "drop": "1"]) { contested in
            let scenario = Scenario().with { $0.settings.contested = contested }
            var running = try scenario.run()
            try running.send(scenario)
            return try running.send(scenario.with { $0.head.topic = nil }).streamLimit.map { "\($0)" } ?? "nil"
        },
        response("unique-id", ["accepted": "false", "all": "true"]) {
            $0.head.topic = nil
        } look: {
            "\($0.uniqueID != nil)"
        },
        ContestedCase("idle-timeout-answer", ["goaway": "GOAWAY IdleTimeout", "response": "400 IdleTimeout"]) {
            contested in
            let scenario = Scenario().with {
                $0.settings.contested = contested
                $0.settings.idleTimeout = 1000
            }
            var running = try scenario.run()
            guard try running.send(scenario).verdict.isAccepted else { return "never accepted" }
            if let goAway = running.connection.idle(for: 1000, settings: running.world.settings) {
                return "GOAWAY \(goAway.reason.code)"
            }
            let verdict = try running.send(scenario).verdict
            return "\(verdict.status ?? 0) \(verdict.reason?.code ?? accepted)"
        },
        ContestedCase("retry-after", ["off": "nil nil nil", "on": "60 1200 nil"]) { contested in
            let scenario = Scenario().with { $0.settings.contested = contested }
            let busy = try scenario.with {
                $0.settings.deviceRate = WorldSettings.DeviceRate(count: 0, period: 1000)
            }.headers()
            var running = try scenario.run()
            try running.send(scenario.with { $0.age = 1 })
            let early = try running.send(scenario).response?.headers ?? []
            let plain = try scenario.with { $0.head.topic = nil }.headers()
            return [busy, early, plain].map { $0.first { $0.name == "retry-after" }?.value ?? "nil" }
                .joined(separator: " ")
        },
        ContestedCase("channel-ids", ["random": "false", "ascii": "true"]) { contested in
            let judgement = try ChannelScenario(.createChannel).with { $0.settings.contested = contested }.judgement()
            let id = judgement.response?.channelID ?? ""
            let decoded = (try? Base64.decode(Array(id.utf8), as: .lenient)) ?? []
            return "\(decoded.count == 16 && decoded.allSatisfy { (0x21...0x7E).contains($0) })"
        },
    ]

    private static let requests: [ContestedCase] = [
        verdict("uppercase-apns-id", ["accept": accepted, "refuse": "BadMessageId"]) {
            $0.head.apnsID = "9D1F0A52-1111-4222-8333-ABCDEFABCDEF"
        },
        ContestedCase(
            "broadcast-host",
            ["any": "accepted accepted", "send": "BadPath accepted", "broadcast": "accepted BadPath"]
        ) { contested in
            try ["api-broadcast.push.apple.com", "api.push.apple.com:443"].map { host in
                let scenario = ChannelScenario(.broadcast).with {
                    $0.settings.contested = contested
                    $0.head.authority = host
                }
                return try scenario.judgement().verdict.reason?.code ?? accepted
            }.joined(separator: " ")
        },
        ContestedCase(
            "broadcast-topic",
            ["ignore": "accepted accepted accepted", "check": "accepted accepted TopicDisallowed"]
        ) { contested in
            let topics = [Scenario.topic, Scenario.topic + ".push-type.liveactivity", Scenario.topic + ".voip"]
            return try topics.map { topic in
                let scenario = ChannelScenario(.broadcast).with {
                    $0.settings.contested = contested
                    $0.head.topic = topic
                }
                return try scenario.judgement().verdict.reason?.code ?? accepted
            }.joined(separator: " ")
        },
        verdict("background-priority-10", ["refuse": "BadPriority", "accept": accepted]) { $0.head.priority = "10" },
        verdict(
            "credentials-or-headers", ["credentials": "MissingProviderToken", "headers": "InvalidPushType"]
        ) {
            $0.hasAuthorization = false
            $0.head.pushType = "nonsense"
        },
        verdict("malformed-json", ["accept": accepted, "refuse": "PayloadEmpty"]) { $0.body = Array("{".utf8) },
        verdict("device-token-length", ["any": accepted, "32": "BadDeviceToken"]) {
            $0.devices[0].token = "ab12"
            $0.head.path = "/3/device/ab12"
        },
        ContestedCase(
            "push-type-case",
            [
                "broadcast": "InvalidPushType accepted accepted",
                "exact": "InvalidPushType InvalidPushType InvalidPushType",
                "any": "accepted accepted accepted",
            ]
        ) { contested in
            let device = Scenario().with {
                $0.settings.contested = contested
                $0.head.pushType = "Background"
            }
            let broadcast = ChannelScenario(.broadcast).with {
                $0.settings.contested = contested
                $0.head.pushType = "Liveactivity"
            }
            let channel = ChannelScenario(.createChannel).with {
                $0.settings.contested = contested
                $0.body = Array(#"{"message-storage-policy":0,"push-type":"liveactivity"}"#.utf8)
            }
            let verdicts = [try device.verdict(), try broadcast.judgement().verdict, try channel.judgement().verdict]
            return verdicts.map { $0.reason?.code ?? accepted }.joined(separator: " ")
        },
        channelVerdict(
            "bad-storage-policy", .createChannel,
            ["MissingChannelQueueSize": "MissingChannelQueueSize", "BadRequestParams": "BadRequestParams"]
        ) { $0.body = Array(#"{"message-storage-policy":7,"push-type":"LiveActivity"}"#.utf8) },
        verdict("path-or-method", ["path": "BadPath", "method": "MethodNotAllowed"]) {
            $0.head.path = "/"
            $0.head.method = "GET"
        },
        verdict("device-token-or-topic", ["device-token": "BadDeviceToken", "topic": "TopicDisallowed"]) {
            $0.apps = []
            $0.head.path = "/3/device/cafe"
        },
        ContestedCase("held-at-termination", ["keep": "throttled", "drop": "throttled dropped"]) { contested in
            var scenario = try DeviceScenario(contested: contested)
            try scenario.patch(DevicePatch(allowsBackgroundRefresh: false))
            let held = try scenario.silent()
            try scenario.patch(DevicePatch(appState: .terminated))
            return scenario.stages(held).map(\.rawValue).joined(separator: " ")
        },
        verdict("empty-collapse-id", ["refuse": "BadCollapseId", "accept": accepted]) { $0.head.collapseID = "" },
        channelVerdict("broadcast-defaults", .broadcast, ["refuse": "BadExpirationDate", "accept": accepted]) {
            $0.head.expiration = nil
            $0.head.priority = nil
        },
    ]
}

extension Scenario {
    /// Those of the answer to the request.
    fileprivate func headers() throws -> [(name: String, value: String)] {
        var running = try run()
        return try running.send(self).response?.headers ?? []
    }
}
