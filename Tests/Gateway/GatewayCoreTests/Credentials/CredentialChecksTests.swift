import APNSModel
import ProviderToken
import Testing

@testable import GatewayCore

struct CredentialChecksTests {
    @Test(
        arguments: [
            (3600, nil), (3601, Reason.expiredProviderToken), (0, nil), (-3600, nil), (-3601, .invalidProviderToken),
        ] as [(Int64, Reason?)])
    func `a provider token may be an hour old and an hour ahead, to the second`(age: Int64, reason: Reason?) throws {
        #expect(try Scenario().with { $0.age = age }.verdict().reason == reason)
    }

    @Test func `the reason says how old the provider token is`() throws {
        let verdict = try Scenario().with { $0.age = 61 * 60 }.verdict()
        #expect(
            verdict.why == "the provider token was signed 61 minutes ago; APNs accepts 60 minutes, so sign a new one")
    }

    @Test(arguments: [Int64.min, Int64.min + 1, -1, 0, Int64.max - 1, Int64.max])
    func `no time of signing is too far off to be judged`(issuedAt: Int64) throws {
        let scenario = try Scenario().with {
            $0.authorization = try Scenario.authorization(issuedAt: issuedAt)
        }
        let expected: Reason = issuedAt > 0 ? .invalidProviderToken : .expiredProviderToken
        #expect(try scenario.verdict().reason == expected)
    }

    @Test(
        arguments: [
            (".31", 0, nil), (".0", 3600, nil), (".999", 3601, Reason.expiredProviderToken), (".31", -3600, nil),
            (".31", -3601, .invalidProviderToken), ("e0", 0, nil), ("0e-1", 3600, nil),
        ] as [(String, Int64, Reason?)], [false, true])
    func `an iat with a fraction or an exponent is judged by its whole seconds`(
        token: (rest: String, age: Int64, reason: Reason?), isStrict: Bool
    ) throws {
        let scenario = try Scenario().with {
            $0.settings.contested.requiresStrictProviderTokens = isStrict
            $0.authorization = try Scenario.authorization(
                claims: #"{"iss":"\#(Keys.team)","iat":\#(Scenario.start / 1000 - token.age)\#(token.rest)}"#)
        }
        #expect(try scenario.verdict().reason == token.reason)
    }

    @Test(arguments: ["null", #""soon""#, #""1700000000.5""#, "1e400"])
    func `an iat that is not a number is InvalidProviderToken`(iat: String) throws {
        let scenario = try Scenario().with {
            $0.authorization = try Scenario.authorization(claims: #"{"iss":"\#(Keys.team)","iat":\#(iat)}"#)
        }
        let verdict = try scenario.verdict()
        #expect(verdict.reason == .invalidProviderToken && verdict.rule == "provider-token-form")
        #expect(verdict.why.contains("iat"))
    }

    @Test func `a remembered provider token still grows old`() throws {
        var running = try Scenario().run()
        let head = try Scenario().request()
        #expect(running.send(head, Scenario().body).verdict.isAccepted)
        _ = running.advance(seconds: 3600)
        #expect(running.send(head, Scenario().body).verdict.isAccepted)
        _ = running.advance(seconds: 1)
        #expect(running.send(head, Scenario().body).verdict.reason == .expiredProviderToken)
    }

    @Test(arguments: [(1199, Reason.tooManyProviderTokenUpdates), (1200, nil)] as [(Int64, Reason?)])
    func `a new provider token is accepted after exactly 20 minutes`(seconds: Int64, reason: Reason?) throws {
        var running = try Scenario().run()
        // Signed just before each other, so that only the time of use speaks for the second.
        let first = try Scenario().with { $0.age = 1 }.request()
        let second = try Scenario().request()
        #expect(running.send(first, Scenario().body).verdict.isAccepted)
        _ = running.advance(seconds: seconds)
        #expect(running.send(second, Scenario().body).verdict.reason == reason)
    }

    @Test func `after a refused update the provider token in use stays good`() throws {
        var running = try Scenario().run()
        let first = try Scenario().with { $0.age = 1 }.request()
        #expect(running.send(first, Scenario().body).verdict.isAccepted)
        #expect(try running.send(Scenario()).verdict.reason == .tooManyProviderTokenUpdates)
        #expect(running.send(first, Scenario().body).verdict.isAccepted)
    }

    @Test(arguments: [(1199, Reason.tooManyProviderTokenUpdates), (1200, nil)] as [(Int64, Reason?)])
    func `a connection opened late in the life of a provider token takes the next in time`(
        apart: Int64, reason: Reason?
    ) throws {
        var running = try Scenario().run()
        #expect(try running.send(Scenario().with { $0.age = apart }).verdict.isAccepted)
        #expect(try running.send(Scenario()).verdict.reason == reason)
    }

    @Test func `updates are counted per connection, or per key when asked`() throws {
        for scope in [ContestedSettings.UpdateScope.connection, .key] {
            var running = try Scenario().with { $0.settings.contested.updateScope = scope }.run()
            #expect(try running.send(Scenario().with { $0.age = 1 }).verdict.isAccepted)
            running.connection = GatewayConnection(environment: .sandbox)
            let reason = try running.send(Scenario()).verdict.reason
            #expect(reason == (scope == .key ? .tooManyProviderTokenUpdates : nil))
        }
    }

    @Test func `a signature is checked once, and a revoked key forgets its provider tokens`() throws {
        var running = try Scenario().run()
        let head = try Scenario().request()
        for _ in 0..<3 { #expect(running.send(head, Scenario().body).verdict.isAccepted) }
        #expect(running.world.verifiedTokens.count == 1)
        let wasRevoked = running.world.revokeKey("KEY0000001")
        #expect(wasRevoked)
        #expect(running.world.verifiedTokens.count == 0)
        let verdict = running.send(head, Scenario().body).verdict
        #expect(verdict.reason == .invalidProviderToken)
        #expect(verdict.why.contains("revoked"))
        running.world.settings.contested.revokedKey = .forbidden
        #expect(running.send(head, Scenario().body).verdict.reason == .forbidden)
        let wasRevokedAgain = running.world.revokeKey("KEY0000001")
        #expect(!wasRevokedAgain)
    }

    @Test func `a key registered again with another public key makes old provider tokens invalid`() throws {
        var running = try Scenario().run()
        let head = try Scenario().request()
        #expect(running.send(head, Scenario().body).verdict.isAccepted)
        try running.world.register(
            ProviderKey(keyID: "KEY0000001", teamID: Keys.team, verifyingKey: try Keys.second.get().publicKey))
        #expect(running.send(head, Scenario().body).verdict.rule == "provider-token-signature")
    }

    @Test func `remembered provider tokens are bounded`() throws {
        var running = try Scenario().with { $0.settings.maximumVerifiedTokens = 2 }.run()
        for age in 0..<5 as Range<Int64> { try running.send(Scenario().with { $0.age = age }) }
        #expect(running.world.verifiedTokens.count == 2)
    }

    @Test func `any key lets unknown keys through unverified, to any topic, but no wrong signature of a known one`()
        throws
    {
        var scenario = Scenario().with {
            $0.settings.acceptsAnyKey = true
            $0.keyID = "UNKNOWN001"
            $0.apps = []
        }
        var running = try scenario.run()
        let judgement = try running.send(scenario)
        #expect(judgement.verdict.isAccepted)
        #expect(running.world.notification(judgement.sequence)?.isVerified == false)
        scenario.keyID = "KEY0000001"
        scenario.signer = Keys.second
        #expect(try scenario.verdict().reason == .invalidProviderToken)
    }

    @Test func `a journal entry of a verified key says so and names it`() throws {
        var running = try Scenario().run()
        let sequence = try running.send(Scenario()).sequence
        let entry = running.world.notification(sequence)
        #expect(entry?.isVerified == true)
        #expect(entry?.keyID == "KEY0000001")
        #expect(entry?.teamID == Keys.team)
    }

    @Test func `the spelling of the environment reason can be the documented one`() throws {
        let scenario = Scenario().with {
            $0.keyEnvironments = [.production]
            $0.settings.contested.usesDocumentedEnvironmentReason = true
        }
        #expect(try scenario.verdict().reason?.code == "BadEnvironmentKeyIdInToken")
    }

    @Test func `a strict gateway takes no padded provider token`() throws {
        let scenario = try Scenario().with {
            $0.authorization = try Scenario.authorization() + "=="
        }
        #expect(try scenario.verdict().rule != "provider-token-form")
        #expect(
            try scenario.with { $0.settings.contested.requiresStrictProviderTokens = true }.verdict().rule
                == "provider-token-form")
    }

    @Test func `an expired provider token can spoil the connection`() throws {
        var scenario = Scenario()
        scenario.settings.contested.expiredProviderTokenSpoilsConnection = true
        var running = try scenario.run()
        #expect(try running.send(scenario.with { $0.age = 4000 }).verdict.reason == .expiredProviderToken)
        #expect(try running.send(scenario).verdict.reason == .expiredProviderToken)
        running.connection = GatewayConnection(environment: .sandbox)
        #expect(try running.send(scenario).verdict.isAccepted)
    }

    @Test(arguments: ["", "   ", "bearer", "Basic abc", "bearer  "])
    func `a header without a provider token is MissingProviderToken`(authorization: String) throws {
        #expect(try Scenario().with { $0.authorization = authorization }.verdict().reason == .missingProviderToken)
    }

    @Test func `a provider token appears in no message and nowhere in the journal`() throws {
        for fault in SpoiledRequest.all {
            let scenario = Scenario().with(fault.spoil)
            var running = try scenario.run()
            let head = try scenario.request()
            let sequence = running.send(head, scenario.body).sequence
            let entry = try #require(running.world.notification(sequence))
            guard let secret = head.authorization?.split(separator: ".").last else { continue }
            var text = ""
            dump(entry, to: &text)
            #expect(!text.contains(secret), "\(fault.check)")
        }
    }
}

/// docs/reference/apns.md 4.4: key kinds, and what the first notification binds a connection to.
struct KeyKindTests {
    static func key(_ id: String, _ topics: Set<String>?, _ environments: Set<APNSEnvironment> = [.sandbox]) throws
        -> ProviderKey
    {
        ProviderKey(
            keyID: id, teamID: Keys.team, verifyingKey: try Keys.first.get().publicKey,
            kind: topics.map { .topics($0) } ?? .team, environments: environments)
    }

    /// The reasons of one request with each of the keys in turn, on one connection.
    func reasons(_ keys: [ProviderKey], topic: String = Scenario.topic) throws -> [Reason?] {
        var running = try Scenario().with {
            $0.extraKeys = keys
            $0.head.topic = topic
        }.run()
        return try keys.map { key in
            try running.send(Scenario().with { $0.keyID = key.keyID }).verdict.reason
        }
    }

    @Test func `a topic-specific key pushes to its topics only`() throws {
        #expect(try reasons([Self.key("TOPIC00001", [Scenario.topic])]) == [nil])
        #expect(try reasons([Self.key("TOPIC00001", ["com.example.other"])]) == [.topicDisallowed])
    }

    @Test(arguments: [(true, nil), (false, Reason.topicDisallowed)] as [(Bool, Reason?)])
    func `whether a key for a bundle id covers its suffixes is a setting`(covers: Bool, reason: Reason?) throws {
        let scenario = try Scenario().with {
            $0.settings.contested.topicKeyCoversSuffixes = covers
            $0.extraKeys = [try Self.key("TOPIC00001", [Scenario.topic])]
            $0.keyID = "TOPIC00001"
            $0.devices[0].kind = .voip
            $0.head.topic = Scenario.topic + ".voip"
            $0.head.pushType = "voip"
        }
        #expect(try scenario.verdict().reason == reason)
    }

    @Test func `two team-scoped keys of one environment share a connection`() throws {
        #expect(try reasons([Self.key("TEAMKEY001", nil), Self.key("TEAMKEY002", nil)]) == [nil, nil])
    }

    @Test func `a key for both environments is good in both`() throws {
        for environment in APNSEnvironment.allCases {
            let scenario = Scenario().with {
                $0.environment = environment
                $0.devices[0].environment = environment
                $0.keyEnvironments = [.sandbox, .production]
            }
            #expect(try scenario.verdict().isAccepted)
        }
    }

    @Test func `after a team-scoped key no topic-specific one, and the other way round`() throws {
        let (team, topic) = (try Self.key("TEAMKEY001", nil), try Self.key("TOPIC00001", [Scenario.topic]))
        #expect(try reasons([team, topic]) == [nil, .unrelatedKeyIDInToken])
        #expect(try reasons([topic, team]) == [nil, .unrelatedKeyIDInToken])
    }

    @Test func `one related key may take turns with a topic-specific one, a second may not`() throws {
        let keys = try ["TOPIC00001", "TOPIC00002", "TOPIC00003"].map { try Self.key($0, [Scenario.topic]) }
        #expect(try reasons([keys[0], keys[1]]) == [nil, nil])
        #expect(try reasons(keys) == [nil, nil, .unrelatedKeyIDInToken])
    }

    @Test func `a key for other topics is not related`() throws {
        let other = try Self.key("TOPIC00002", [Scenario.topic, "com.example.other"])
        #expect(try reasons([Self.key("TOPIC00001", [Scenario.topic]), other]) == [nil, .unrelatedKeyIDInToken])
    }

    @Test func `related keys alternate without counting as updates of each other`() throws {
        let keys = try ["TOPIC00001", "TOPIC00002"].map { try Self.key($0, [Scenario.topic]) }
        var running = try Scenario().with { $0.extraKeys = keys }.run()
        var heads: [String: RequestHead] = [:]
        for key in keys { heads[key.keyID] = try Scenario().with { $0.keyID = key.keyID }.request() }
        for id in ["TOPIC00001", "TOPIC00002", "TOPIC00001", "TOPIC00002"] {
            #expect(running.send(heads[id] ?? RequestHead(), Scenario().body).verdict.isAccepted)
        }
    }

    @Test func `an app registered after the first notification needs another connection`() throws {
        var running = try Scenario().run()
        #expect(try running.send(Scenario()).verdict.isAccepted)
        try running.world.register(RegisteredApp(topic: "com.example.new", teamID: Keys.team))
        _ = try running.world.register(DeviceRegistration(topic: "com.example.new", token: "beef"), real: 0)
        let head = Scenario().with {
            $0.head.topic = "com.example.new"
            $0.head.path = "/3/device/beef"
        }
        #expect(try running.send(head).verdict.reason == .topicDisallowed)
        running.connection = GatewayConnection(environment: .sandbox)
        #expect(try running.send(head).verdict.isAccepted)
    }

    @Test func `an app of another team is TopicDisallowed`() throws {
        let scenario = Scenario().with { $0.apps = [RegisteredApp(topic: Scenario.topic, teamID: Keys.otherTeam)] }
        #expect(try scenario.verdict().reason == .topicDisallowed)
        #expect(
            try scenario.with { $0.settings.contested.topicDisallowed = .invalidProviderToken }.verdict().reason
                == .invalidProviderToken)
    }

    @Test func `mdm wants a certificate`() throws {
        let scenario = Scenario().with { $0.head.pushType = "mdm" }
        #expect(try scenario.verdict().reason == .topicDisallowed)
        #expect(try scenario.with { $0.settings.contested.acceptsMDMWithProviderToken = true }.verdict().isAccepted)
    }
}
