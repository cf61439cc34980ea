import APNSModel
import DevelopmentCredentials
import GatewayCore
import GatewayServer
import GatewayTestSupport
import GatewayTesting
import ProviderToken
import Testing

/// One way to bring about a reason by state, clock, key or request, with its description for the page.
struct Provocation: CustomTestStringConvertible, Sendable {
    let reason: Reason
    /// For the page, in Markdown.
    let how: String
    /// Whether a GOAWAY says it instead of an answer.
    let isGoAway: Bool
    /// The answers on one connection, the last of which is to say it.
    let act: @Sendable (TestGateway) async throws -> [String]

    init(
        _ reason: Reason, _ how: String, isGoAway: Bool = false,
        _ act: @escaping @Sendable (TestGateway) async throws -> [String]
    ) {
        self.reason = reason
        self.how = how
        self.isGoAway = isGoAway
        self.act = act
    }

    var testDescription: String { "\(reason.code): \(how)" }

    /// A request to a device with something changed.
    private static func device(
        _ reason: Reason, _ how: String, _ change: @escaping @Sendable (inout ReasonRequest) -> Void
    ) -> Provocation {
        Provocation(reason, how) { gateway in
            var request = ReasonRequest()
            change(&request)
            return [try await gateway.answer(to: request)]
        }
    }

    /// An ordinary request after a call of the control API.
    private static func afterCall(
        _ reason: Reason, _ how: String, _ method: String, _ path: String, _ body: String? = nil
    ) -> Provocation {
        Provocation(reason, how) { gateway in
            try await gateway.callControl(method, path, body)
            return [try await gateway.answer(to: ReasonRequest())]
        }
    }

    /// A broadcast to a channel that stores nothing, with something changed.
    private static func broadcast(
        _ reason: Reason, _ how: String, _ change: @escaping @Sendable (inout ReasonRequest) -> Void
    ) -> Provocation {
        Provocation(reason, how) { gateway in
            var request = ReasonRequest.broadcast(to: try await gateway.createChannel())
            change(&request)
            return [try await gateway.answer(to: request)]
        }
    }

    /// A request to create a channel with this body.
    private static func channel(_ reason: Reason, _ how: String, body: String) -> Provocation {
        Provocation(reason, how) { gateway in
            var request = ReasonRequest.createChannel
            request.body = body
            return [try await gateway.answer(to: request)]
        }
    }

    /// Several requests on one connection, each with its provider token.
    private static func signed(
        _ reason: Reason, _ how: String,
        _ authorizations: @escaping @Sendable (TestGateway) async throws -> [String?]
    ) -> Provocation {
        Provocation(reason, how) { gateway in
            try await gateway.answers(to: try await authorizations(gateway).map { (ReasonRequest(), $0) })
        }
    }

    private static func certificate(_ reason: Reason, _ how: String, _ kind: CertificateKind) -> Provocation {
        Provocation(reason, how, isGoAway: true) { gateway in
            try await gateway.answers(to: [(ReasonRequest(), nil)], certificate: kind)
        }
    }

    static let all: [Provocation] = headers + credentials + states + broadcasts + channels

    private static let headers: [Provocation] = [
        device(.badCollapseID, "`apns-collapse-id` of 65 bytes") {
            $0["apns-collapse-id"] = String(repeating: "c", count: 65)
        },
        device(
            .badDeviceToken, "a device token that nobody registered, with `--devices strict`; or one that is not hex"
        ) {
            $0.path = "/3/device/cafe"
        },
        device(.badExpirationDate, "`apns-expiration: tomorrow`") { $0["apns-expiration"] = "tomorrow" },
        device(.badMessageID, "`apns-id: 1`") { $0["apns-id"] = "1" },
        device(.badPriority, "`apns-priority: 7`; or 10 with `apns-push-type: background`") {
            $0["apns-priority"] = "7"
        },
        device(.badTopic, "`apns-topic: com example`") { $0["apns-topic"] = "com example" },
        Provocation(
            .deviceTokenNotForTopic, "the device token of `com.example.agent.voip` with the topic `com.example.agent`"
        ) { gateway in
            try await gateway.callControl("POST", "/api/devices", #"{"topic":"com.example.agent.voip","token":"cd34"}"#)
            var request = ReasonRequest()
            request.path = "/3/device/cd34"
            return [try await gateway.answer(to: request)]
        },
        device(.duplicateHeaders, "`apns-topic` twice") { $0.headers.append(("apns-topic", "com.example.agent")) },
        device(.invalidPushType, "`apns-push-type: Alert`; or `alert` with the topic `com.example.agent.voip`") {
            $0["apns-push-type"] = "Alert"
        },
        device(.missingDeviceToken, "`POST /3/device/`") { $0.path = "/3/device/" },
        device(.missingTopic, "no `apns-topic`") { $0["apns-topic"] = nil },
        device(.payloadEmpty, "no body") { $0.body = "" },
        device(.topicDisallowed, "`apns-topic` of an app that is not registered for the team") {
            $0["apns-topic"] = "com.example.nobody"
        },
        device(.badPath, "`POST /3/devices/ab12`") { $0.path = "/3/devices/ab12" },
        device(.methodNotAllowed, "`PUT /3/device/ab12`") { $0.method = "PUT" },
        device(.payloadTooLarge, "a body of 4097 bytes; 5121 for VoIP") {
            $0.body += String(repeating: " ", count: 4097 - $0.body.utf8.count)
        },
    ]

    private static let credentials: [Provocation] = [
        certificate(
            .badCertificate, "`apns credentials --certificate expired` or `untrusted`, and connect with it", .expired),
        certificate(
            .badCertificate, "the same; with `--contested certificate-fault=response` each request gets it", .untrusted),
        certificate(
            .badCertificateEnvironment,
            "`apns credentials --certificate production`, and connect to a gateway of the sandbox", .production),
        Provocation(
            .expiredProviderToken, "`POST /api/clock/advance {\"by\":\"61m\"}`, and send with the old provider token"
        ) {
            gateway in
            let authorization = try gateway.signer.authorization
            try await gateway.callControl("POST", "/api/clock/advance", #"{"by":"61m"}"#)
            return try await gateway.answers(to: [(ReasonRequest(), authorization)])
        },
        signed(
            .forbidden,
            "`PATCH /api/settings {\"contested\":{\"revoked-key\":\"Forbidden\"}}`, `DELETE /api/keys/{key-id}`, and send"
        ) { gateway in
            try await gateway.callControl("PATCH", "/api/settings", #"{"contested":{"revoked-key":"Forbidden"}}"#)
            try await gateway.callControl("DELETE", "/api/keys/\(gateway.keyID)")
            return [try gateway.signer.authorization]
        },
        signed(
            .invalidProviderToken, "a provider token signed with another key; or `DELETE /api/keys/{key-id}`, and send"
        ) {
            gateway in
            var signer = gateway.signer
            signer.key = try .generate()
            return [try signer.authorization]
        },
        signed(.missingProviderToken, "no `authorization`, and no certificate") { _ in [nil] },
        signed(
            .unrelatedKeyIDInToken,
            "a topic-specific key (`POST /api/keys` with `\"kind\":\"topic\"`) on a connection where a team-scoped one sent"
        ) { gateway in
            let second = try await gateway.registerKey(
                #""kind":"topic","topics":["com.example.agent"],"environments":["sandbox"]"#)
            return [try gateway.signer.authorization, try second.authorization]
        },
        signed(
            .badEnvironmentKeyInToken,
            "a key of production alone (`POST /api/keys` with `\"environments\":[\"production\"]`) in the sandbox"
        ) { gateway in
            [try await gateway.registerKey(#""environments":["production"]"#).authorization]
        },
        signed(
            .tooManyProviderTokenUpdates, "two provider tokens of one key on one connection, less than 20 minutes apart"
        ) {
            gateway in
            var first = gateway.signer
            first.issuedAt -= 1
            return [try first.authorization, try gateway.signer.authorization]
        },
    ]

    private static let states: [Provocation] = [
        Provocation(
            .idleTimeout, "`--idle-timeout 10m`, and send nothing for so long", isGoAway: true
        ) { gateway in
            try await gateway.callControl("PATCH", "/api/settings", #"{"idle-timeout":"10m"}"#)
            let sender = try await gateway.rawSender()
            var answers = 0
            for await event in sender.observed {
                switch event {
                case .settings where answers == 0: try await sender.ping()
                case .pingAcknowledged:
                    answers += 1
                    // The second answer says that the gateway has read all that this client says by itself.
                    if answers == 1 {
                        try await sender.ping()
                    } else {
                        try await gateway.callControl("POST", "/api/clock/advance", #"{"by":"11m"}"#)
                    }
                case .goAway(_, _, let data): return ["GOAWAY \(data)"]
                default: break
                }
            }
            return []
        },
        afterCall(
            .expiredToken, "`PATCH /api/devices/{token} {\"expires\":TIME}`, and send after that time", "PATCH",
            "/api/devices/ab12", #"{"expires":0}"#),
        afterCall(.unregistered, "`DELETE /api/devices/{token}`, and send", "DELETE", "/api/devices/ab12"),
        Provocation(.tooManyRequests, "`--device-rate 1/1m`, and send twice to one device") { gateway in
            try await gateway.callControl("PATCH", "/api/settings", #"{"device-rate":"1/1m"}"#)
            let authorization = try gateway.signer.authorization
            return try await gateway.answers(
                to: [(ReasonRequest(), authorization), (ReasonRequest(), authorization)])
        },
        afterCall(
            .internalServerError, "`PATCH /api/settings {\"availability\":\"failing\"}`, and send", "PATCH",
            "/api/settings",
            #"{"availability":"failing"}"#),
        afterCall(
            .serviceUnavailable, "`PATCH /api/settings {\"availability\":\"overloaded\"}`, and send", "PATCH",
            "/api/settings", #"{"availability":"overloaded"}"#),
        afterCall(
            .shutdown, "`PATCH /api/settings {\"availability\":\"stopping\"}`, and send", "PATCH", "/api/settings",
            #"{"availability":"stopping"}"#),
        Provocation(.shutdown, "stop the gateway while a connection is open", isGoAway: true) { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            try await sender.submit(ReasonRequest().fields(try gateway.signer.authorization), body: silent)
            _ = await sender.answer(on: 1, &events)
            await gateway.running.shutdown()
            while let event = await events.next() {
                if case .goAway(_, _, let data) = event { return ["GOAWAY \(data)"] }
            }
            return []
        },
    ]

    private static let broadcasts: [Provocation] = [
        broadcast(.badChannelID, "`apns-channel-id: no base64`") { $0["apns-channel-id"] = "no base64" },
        broadcast(.badExpirationDate, "`apns-expiration` other than 0 for a channel that stores nothing") {
            $0["apns-expiration"] = "4000000000"
        },
        broadcast(.channelNotRegistered, "`apns-channel-id` of a channel that was never created, or was deleted") {
            $0["apns-channel-id"] = "AAAA"
        },
        broadcast(.missingChannelID, "no `apns-channel-id`") { $0["apns-channel-id"] = nil },
        broadcast(.missingPushType, "no `apns-push-type`") { $0["apns-push-type"] = nil },
        broadcast(.topicDisallowed, "`POST /4/broadcasts/apps/com.example.agent.push-type.liveactivity`") {
            $0.path += ".push-type.liveactivity"
        },
        broadcast(.topicMismatch, "`POST /4/broadcasts/apps/{bundle id}` of an app that is not registered for the team")
        {
            $0.path = "/4/broadcasts/apps/com.example.nobody"
        },
        broadcast(.payloadTooLarge, "a body of 5121 bytes") {
            $0.body += String(repeating: " ", count: 5121 - $0.body.utf8.count)
        },
        Provocation(.featureNotEnabled, "`POST /api/apps` without the capability `broadcast`, and send to its channels")
        {
            gateway in
            try await gateway.callControl(
                "POST", "/api/apps",
                #"{"topic":"com.example.agent","team-id":"\#(gateway.teamID)","capabilities":["push"]}"#)
            return [try await gateway.answer(to: .broadcast(to: "AAAA"))]
        },
        Provocation(.tooManyRequests, "`--channel-rate 1/1m`, and broadcast twice to one channel") { gateway in
            let channel = try await gateway.createChannel()
            try await gateway.callControl("PATCH", "/api/settings", #"{"channel-rate":"1/1m"}"#)
            let authorization = try gateway.signer.authorization
            let request = ReasonRequest.broadcast(to: channel)
            return try await gateway.answers(to: [(request, authorization), (request, authorization)])
        },
    ]

    private static let channels: [Provocation] = [
        channel(
            .badRequestParams, "an attribute that is not known in the body of `POST /1/apps/{bundle id}/channels`",
            body: #"{"message-storage-policy":0,"push-type":"LiveActivity","name":"x"}"#),
        channel(.badRequestPayload, "a body there that is not a JSON object", body: "{"),
        channel(
            .missingChannelQueueSize, "no `message-storage-policy` there, or one that is neither 0 nor 1",
            body: #"{"push-type":"LiveActivity"}"#),
        Provocation(
            .cannotCreateChannelConfig,
            "one channel more than an app may have: 10,000, or `limits: {channels-of-app: N}` in the configuration file"
        ) { gateway in
            _ = try await gateway.createChannel()
            gateway.running.changeSettings { $0.maximumChannelsOfApp = 1 }
            return [try await gateway.answer(to: .createChannel)]
        },
    ]
}
