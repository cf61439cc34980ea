/// A contested question, with the name that the command line, the configuration file and the control API use.
package struct ContestedSetting: Sendable {
    /// One answer to the question.
    package struct Side: Hashable, Sendable {
        package let word: String
        /// What the gateway does, as the end of a sentence.
        package let does: String
    }

    /// The row of docs/reference/apns.md section 11; 0 for a question of another section.
    package let row: Int
    package let name: String
    package let question: String
    /// The default first.
    package let sides: [Side]
    private let read: @Sendable (ContestedSettings) -> Int
    private let write: @Sendable (inout ContestedSettings, Int) -> Void

    private init<Value: Equatable & Sendable>(
        _ row: Int, _ name: String, _ question: String,
        _ field: any WritableKeyPath<ContestedSettings, Value> & Sendable,
        _ sides: [(word: String, value: Value, does: String)]
    ) {
        self.row = row
        self.name = name
        self.question = question
        self.sides = sides.map { Side(word: $0.word, does: $0.does) }
        let values = sides.map(\.value)
        read = { contested in values.firstIndex(of: contested[keyPath: field]) ?? 0 }
        write = { contested, side in contested[keyPath: field] = values[side] }
    }

    private init(
        _ row: Int, _ name: String, _ question: String,
        _ field: any WritableKeyPath<ContestedSettings, Bool> & Sendable,
        no: (word: String, does: String), yes: (word: String, does: String), isYesDefault: Bool = false
    ) {
        let sides: [(word: String, value: Bool, does: String)] = [
            (no.word, false, no.does), (yes.word, true, yes.does),
        ]
        self.init(row, name, question, field, isYesDefault ? sides.reversed() : sides)
    }

    package static func named(_ name: some StringProtocol) -> ContestedSetting? { all.first { $0.name == name } }

    package var words: [String] { sides.map(\.word) }

    /// The word of the answer in `contested`.
    package func word(in contested: ContestedSettings) -> String { sides[read(contested)].word }

    /// - Returns: Whether there is an answer with this word.
    package func set(_ word: some StringProtocol, in contested: inout ContestedSettings) -> Bool {
        guard let side = sides.firstIndex(where: { $0.word == word }) else { return false }
        write(&contested, side)
        return true
    }

    /// In the order of their rows in docs/reference/apns.md 11. Rows 10, 28, 32 and 43 have no setting: the gateway
    /// reads every form of HPACK, `content-changed` is a rule of the validator, the gateway has no devices beside their
    /// device tokens, and it takes a fractional `iat`. Row 27 is `WorldSettings.deviceRate`; row 40 shares the setting
    /// of row 23.
    package static let all: [ContestedSetting] = [
        ContestedSetting(
            1, "environment-reason", "How is the reason for a key of the other environment spelt?",
            \.usesDocumentedEnvironmentReason, no: ("wire", "sends BadEnvironmentKeyInToken"),
            yes: ("documented", "sends BadEnvironmentKeyIdInToken")),
        ContestedSetting(
            2, "error-body", "Do error bodies have spaces and a content-type?", \.usesDocumentedErrorBody,
            no: ("compact", "sends neither"), yes: ("documented", "sends both")),
        ContestedSetting(
            3, "made-apns-id", "Is an apns-id that the gateway generates in upper or lower case?", \.makesLowercaseIDs,
            no: ("uppercase", "generates it in upper case"), yes: ("lowercase", "generates it in lower case")),
        ContestedSetting(
            4, "uppercase-apns-id", "Is an upper-case apns-id refused?", \.refusesUppercaseID,
            no: ("accept", "accepts it and returns it unchanged"), yes: ("refuse", "refuses it with BadMessageId")),
        ContestedSetting(
            5, "provider-token-form", "Which forms of a provider token are accepted?", \.requiresStrictProviderTokens,
            no: ("lenient", "accepts padding, standard base64, DER signatures and iat as a string"),
            yes: ("strict", "accepts only the standard form and refuses others with InvalidProviderToken")),
        ContestedSetting(
            6, "update-scope", "Is a new provider token in 20 minutes counted for a connection or a key?",
            \.updateScope,
            [
                ("connection", .connection, "counts for each connection"),
                ("key", .key, "counts for each key, over all connections"),
            ]),
        ContestedSetting(
            7, "broadcast-host", "Which host names accept broadcasts?", \.broadcastHost,
            [
                ("any", .any, "accepts them at every name"),
                ("send", .send, "answers BadPath where :authority begins with api-broadcast"),
                ("broadcast", .broadcast, "answers BadPath where :authority does not begin with api-broadcast"),
            ]),
        ContestedSetting(
            8, "broadcast-id", "Which header carries the id in the answer to a broadcast?",
            \.answersBroadcastsWithNotificationID, no: ("apns-request-id", "sends apns-request-id"),
            yes: ("apns-id", "sends apns-id")),
        ContestedSetting(
            9, "broadcast-topic", "Is apns-topic checked in a broadcast?", \.checksBroadcastTopic,
            no: ("ignore", "ignores it"),
            yes: ("check", "refuses one that is not of the app in the path with TopicDisallowed")),
        ContestedSetting(
            11, "background-priority-10", "Is a background push with priority 10 refused?",
            \.acceptsBackgroundAtPriority10, no: ("refuse", "refuses it with BadPriority"),
            yes: ("accept", "accepts it")),
        ContestedSetting(
            12, "expired-token-status", "Which status has ExpiredToken?", \.expiredTokenStatus,
            [("410", 410, "sends 410 with a timestamp"), ("400", 400, "sends 400 without one")]),
        ContestedSetting(
            13, "service-unavailable", "How is ServiceUnavailable spelt in answers about channels?",
            \.spellsServiceUnavailableApart, no: ("joined", "sends ServiceUnavailable"),
            yes: ("apart", "sends Service Unavailable")),
        ContestedSetting(
            14, "live-activity-certificates", "May Live Activities be sent over a certificate?",
            \.acceptsLiveActivityCertificates, no: ("refuse", "refuses them with TopicDisallowed"),
            yes: ("accept", "accepts them if the certificate lists the topic"), isYesDefault: true),
        ContestedSetting(
            15, "topic-disallowed", "Which reason has a topic outside the team or the certificate?", \.topicDisallowed,
            [
                ("TopicDisallowed", .topicDisallowed, "sends TopicDisallowed"),
                ("InvalidProviderToken", .invalidProviderToken, "sends InvalidProviderToken"),
            ]),
        ContestedSetting(
            16, "credentials-or-headers", "Which are checked first, credentials or headers?", \.checksHeadersFirst,
            no: ("credentials", "checks the credentials first"),
            yes: ("headers", "checks the headers up to the push type first")),
        ContestedSetting(
            17, "malformed-json", "Is a body that is not JSON refused?", \.refusesMalformedJSON,
            no: ("accept", "accepts it, and the device drops it"), yes: ("refuse", "refuses it with PayloadEmpty")),
        ContestedSetting(
            18, "certificate-fault", "How is a faulty certificate answered?", \.certificateFault,
            [
                ("goaway", .goAway, "ends the connection with GOAWAY and the reason"),
                ("response", .response, "answers each request with 403 and the reason"),
            ]),
        ContestedSetting(
            19, "streams-after-refusal", "Does a refusal set the stream limit back to 1?", \.dropsStreamsAfterRefusal,
            no: ("keep", "keeps the limit"), yes: ("drop", "sets it back until the next acceptance")),
        ContestedSetting(
            20, "second-team", "Which reason has a provider token of a second team on one connection?", \.secondTeam,
            [
                ("InvalidProviderToken", .invalidProviderToken, "sends InvalidProviderToken"),
                ("Forbidden", .forbidden, "sends Forbidden"),
            ]),
        ContestedSetting(
            21, "revoked-key", "Which reason has a revoked key?", \.revokedKey,
            [
                ("InvalidProviderToken", .invalidProviderToken, "sends InvalidProviderToken"),
                ("Forbidden", .forbidden, "sends Forbidden"),
            ]),
        ContestedSetting(
            22, "future-provider-token", "Which reason has a provider token issued more than an hour in the future?",
            \.futureProviderToken,
            [
                ("InvalidProviderToken", .invalidProviderToken, "sends InvalidProviderToken"),
                (
                    "TooManyProviderTokenUpdates", .tooManyProviderTokenUpdates, "sends TooManyProviderTokenUpdates"
                ),
            ]),
        ContestedSetting(
            23, "device-token-length", "How long is a device token? Row 40 asks the same of Live Activities.",
            \.requires32ByteDeviceTokens, no: ("any", "accepts 1 to 100 bytes"),
            yes: ("32", "accepts 32 bytes and refuses others with BadDeviceToken")),
        ContestedSetting(
            24, "unique-id", "Do refusals in the sandbox have an apns-unique-id?", \.sendsUniqueIDOnRefusals,
            no: ("accepted", "sends it only with acceptances"), yes: ("all", "sends it with refusals too")),
        ContestedSetting(
            25, "idle-timeout-answer", "How does a connection end that was idle for too long?", \.idleTimeout,
            [
                ("goaway", .goAway, "ends the connection with GOAWAY and IdleTimeout"),
                ("response", .response, "answers every later request with 400 IdleTimeout"),
            ]),
        ContestedSetting(
            26, "after-expired-provider-token", "Is a connection usable after ExpiredProviderToken?",
            \.expiredProviderTokenSpoilsConnection, no: ("usable", "accepts a new provider token on it"),
            yes: ("spoiled", "answers every later request with ExpiredProviderToken")),
        ContestedSetting(
            29, "push-type-case", "Does upper or lower case matter in apns-push-type?", \.pushTypeCase,
            [
                (
                    "broadcast", .anyForBroadcasts,
                    "accepts any case for broadcasts and channels, lower case for devices"
                ),
                ("exact", .exact, "accepts only liveactivity (LiveActivity in a body)"),
                ("any", .any, "accepts any case everywhere"),
            ]),
        ContestedSetting(
            30, "retry-after", "Is retry-after sent with 429 and 503?", \.sendsRetryAfter,
            no: ("off", "does not send it"), yes: ("on", "sends it, in seconds")),
        ContestedSetting(
            31, "sub-claim", "Is the sub claim of a topic-specific key checked?", \.checksSubject,
            no: ("ignore", "ignores it"),
            yes: ("check", "refuses one that is not a topic of the key with InvalidProviderToken")),
        ContestedSetting(
            33, "bad-storage-policy", "Which reason has a bad message-storage-policy?", \.badStoragePolicy,
            [
                ("MissingChannelQueueSize", .missingChannelQueueSize, "sends MissingChannelQueueSize"),
                ("BadRequestParams", .badRequestParams, "sends BadRequestParams"),
            ]),
        ContestedSetting(
            34, "path-or-method", "Which is checked first, path or method?", \.checksMethodFirst,
            no: ("path", "checks the path first"), yes: ("method", "checks the method first")),
        ContestedSetting(
            35, "channel-ids", "What do channel ids look like?", \.makesASCIIChannelIDs,
            no: ("random", "generates them from 16 random bytes"),
            yes: ("ascii", "generates them from 16 letters, digits, + and /")
        ),
        ContestedSetting(
            36, "mdm-credentials", "May MDM pushes be sent with a provider token?", \.acceptsMDMWithProviderToken,
            no: ("certificate", "refuses them with TopicDisallowed"), yes: ("any", "accepts them")),
        ContestedSetting(
            37, "topic-key-suffixes", "Does a topic-specific key cover the suffixed topics of its app?",
            \.topicKeyCoversSuffixes, no: ("refuse", "refuses them with TopicDisallowed"),
            yes: ("cover", "accepts them"),
            isYesDefault: true),
        ContestedSetting(
            38, "device-token-or-topic", "Which is checked first, device token or topic?", \.checksTopicFirst,
            no: ("device-token", "checks the device token first"), yes: ("topic", "checks the topic first")),
        ContestedSetting(
            39, "team-key-environments", "May a team-scoped key be for both environments?",
            \.limitsTeamKeysToOneEnvironment, no: ("any", "accepts keys for one or both"),
            yes: ("one", "registers no team-scoped key for both")),
        ContestedSetting(
            41, "held-at-termination", "Is a held background push dropped when the system ends the app?",
            \.dropsHeldAtTermination, no: ("keep", "drops it only when the user force-quits the app"),
            yes: ("drop", "drops it then too")),
        ContestedSetting(
            42, "empty-collapse-id", "Is an empty apns-collapse-id refused?", \.acceptsEmptyCollapseID,
            no: ("refuse", "refuses it with BadCollapseId"), yes: ("accept", "accepts it, as if there were none")),
        ContestedSetting(
            0, "broadcast-defaults", "May a broadcast leave out apns-expiration and apns-priority (2.4)?",
            \.acceptsBroadcastsWithDefaults, no: ("refuse", "refuses it with BadExpirationDate or BadPriority"),
            yes: ("accept", "uses the end of the channel's storage, and 10")),
    ]
}

extension ContestedSettings {
    /// Why a setting cannot be changed, as a sentence.
    package struct UnknownSetting: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Sets the answer to one question.
    package mutating func set(_ name: some StringProtocol, to word: some StringProtocol) throws(UnknownSetting) {
        guard let setting = ContestedSetting.named(name) else {
            let names = ContestedSetting.all.map(\.name).joined(separator: ", ")
            throw UnknownSetting(
                description: "there is no contested question \(PeerText.quoted(String(name))); there are \(names)")
        }
        guard setting.set(word, in: &self) else {
            throw UnknownSetting(
                description: "\(setting.name) is \(setting.words.joined(separator: " or ")), not "
                    + PeerText.quoted(String(word)))
        }
    }
}
