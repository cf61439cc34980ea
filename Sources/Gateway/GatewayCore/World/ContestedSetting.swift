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
        no: (word: String, does: String), yes: (word: String, does: String), usual: Bool = false
    ) {
        let sides: [(word: String, value: Bool, does: String)] = [
            (no.word, false, no.does), (yes.word, true, yes.does),
        ]
        self.init(row, name, question, field, usual ? sides.reversed() : sides)
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

    /// In the order of their rows. Rows 10, 28 and 32 have no setting: the gateway reads every form of HPACK,
    /// `content-changed` is a rule of the validator, and the gateway has no devices beside their device tokens. Row 27 is
    /// `WorldSettings.deviceRate`.
    package static let all: [ContestedSetting] = [
        ContestedSetting(
            1, "environment-reason", "How is the reason for a key of the other environment spelt?",
            \.usesDocumentedEnvironmentReason, no: ("wire", "sends BadEnvironmentKeyInToken"),
            yes: ("documented", "sends BadEnvironmentKeyIdInToken")),
        ContestedSetting(
            2, "error-body", "Do error bodies have spaces and a content-type?", \.usesDocumentedErrorBody,
            no: ("compact", "sends neither"), yes: ("documented", "sends both")),
        ContestedSetting(
            3, "made-apns-id", "In which case is an apns-id that the gateway makes?", \.makesLowercaseIDs,
            no: ("uppercase", "makes it in upper case"), yes: ("lowercase", "makes it in lower case")),
        ContestedSetting(
            4, "uppercase-apns-id", "Is an upper-case apns-id refused?", \.refusesUppercaseID,
            no: ("accept", "takes it and echoes it as it is"), yes: ("refuse", "refuses it with BadMessageId")),
        ContestedSetting(
            5, "provider-token-form", "Which forms of a provider token are good?", \.requiresStrictProviderTokens,
            no: ("lenient", "takes padding, standard base64, DER signatures and iat as a text"),
            yes: ("strict", "takes what the standard asks for and refuses the rest with InvalidProviderToken")),
        ContestedSetting(
            6, "update-scope", "What is a new provider token in 20 minutes counted for?", \.updateScope,
            [
                ("connection", .connection, "counts for each connection"),
                ("key", .key, "counts for each key, over all connections"),
            ]),
        ContestedSetting(
            7, "broadcast-host", "At which host names are broadcasts taken?", \.broadcastHost,
            [
                ("any", .any, "takes them at every name"),
                ("send", .send, "answers BadPath where :authority begins with api-broadcast"),
                ("broadcast", .broadcast, "answers BadPath where :authority does not begin with api-broadcast"),
            ]),
        ContestedSetting(
            8, "broadcast-id", "Which header carries the id in the answer to a broadcast?",
            \.answersBroadcastsWithNotificationID, no: ("apns-request-id", "sends apns-request-id"),
            yes: ("apns-id", "sends apns-id")),
        ContestedSetting(
            9, "broadcast-topic", "Is apns-topic looked at in a broadcast?", \.checksBroadcastTopic,
            no: ("ignore", "takes no notice of it"),
            yes: ("check", "refuses one that is not of the app in the path with TopicDisallowed")),
        ContestedSetting(
            11, "background-priority-10", "Is a background push with priority 10 refused?",
            \.acceptsBackgroundAtPriority10, no: ("refuse", "refuses it with BadPriority"),
            yes: ("accept", "takes it")),
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
            yes: ("accept", "takes them where the certificate lists the topic"), usual: true),
        ContestedSetting(
            15, "topic-disallowed", "What does a topic outside the team or the certificate bring?", \.topicDisallowed,
            [
                ("TopicDisallowed", .topicDisallowed, "sends TopicDisallowed"),
                ("InvalidProviderToken", .invalidProviderToken, "sends InvalidProviderToken"),
            ]),
        ContestedSetting(
            16, "credentials-or-headers", "What is looked at first, credentials or headers?", \.checksHeadersFirst,
            no: ("credentials", "looks at the credentials first"),
            yes: ("headers", "looks at the headers up to the push type first")),
        ContestedSetting(
            17, "malformed-json", "Is a body that is not JSON refused?", \.refusesMalformedJSON,
            no: ("accept", "takes it, for the device to drop"), yes: ("refuse", "refuses it with PayloadEmpty")),
        ContestedSetting(
            18, "certificate-fault", "How is a faulty certificate answered?", \.certificateFault,
            [
                ("goaway", .goAway, "ends the connection with GOAWAY and the reason"),
                ("response", .response, "answers each request with 403 and the reason"),
            ]),
        ContestedSetting(
            19, "streams-after-refusal", "Does a refusal take the streams back to 1?", \.dropsStreamsAfterRefusal,
            no: ("keep", "leaves them as they are"), yes: ("drop", "takes them back until the next acceptance")),
        ContestedSetting(
            20, "second-team", "What does a provider token of a second team on one connection bring?", \.secondTeam,
            [
                ("InvalidProviderToken", .invalidProviderToken, "sends InvalidProviderToken"),
                ("Forbidden", .forbidden, "sends Forbidden"),
            ]),
        ContestedSetting(
            21, "revoked-key", "What does a key that was revoked bring?", \.revokedKey,
            [
                ("InvalidProviderToken", .invalidProviderToken, "sends InvalidProviderToken"),
                ("Forbidden", .forbidden, "sends Forbidden"),
            ]),
        ContestedSetting(
            22, "future-provider-token", "What does a provider token from more than an hour ahead bring?",
            \.futureProviderToken,
            [
                ("InvalidProviderToken", .invalidProviderToken, "sends InvalidProviderToken"),
                (
                    "TooManyProviderTokenUpdates", .tooManyProviderTokenUpdates, "sends TooManyProviderTokenUpdates"
                ),
            ]),
        ContestedSetting(
            23, "device-token-length", "How long is a device token? Row 40 asks the same of Live Activities.",
            \.requires32ByteDeviceTokens, no: ("any", "takes 1 to 100 bytes"),
            yes: ("32", "takes 32 bytes and refuses others with BadDeviceToken")),
        ContestedSetting(
            24, "unique-id", "Do refusals in the sandbox have an apns-unique-id?", \.sendsUniqueIDOnRefusals,
            no: ("accepted", "sends it with acceptances alone"), yes: ("all", "sends it with refusals too")),
        ContestedSetting(
            25, "idle-timeout-answer", "How is a connection told that it was silent for too long?", \.idleTimeout,
            [
                ("goaway", .goAway, "ends the connection with GOAWAY and IdleTimeout"),
                ("response", .response, "answers what comes over it from then on with 400 IdleTimeout"),
            ]),
        ContestedSetting(
            26, "after-expired-provider-token", "Is a connection usable after ExpiredProviderToken?",
            \.expiredProviderTokenSpoilsConnection, no: ("usable", "takes a new provider token on it"),
            yes: ("spoiled", "answers everything on it with ExpiredProviderToken")),
        ContestedSetting(
            29, "push-type-case", "Does the case of letters in apns-push-type matter?", \.pushTypeCase,
            [
                ("broadcast", .anyForBroadcasts, "takes any case for broadcasts and channels, lower case for devices"),
                ("exact", .exact, "takes liveactivity (LiveActivity in a body) and no other"),
                ("any", .any, "takes any case everywhere"),
            ]),
        ContestedSetting(
            30, "retry-after", "Is retry-after sent with 429 and 503?", \.sendsRetryAfter,
            no: ("off", "does not send it"), yes: ("on", "sends it, in seconds")),
        ContestedSetting(
            31, "sub-claim", "Is the sub claim of a topic-specific key looked at?", \.checksSubject,
            no: ("ignore", "takes no notice of it"),
            yes: ("check", "refuses one that is no topic of the key with InvalidProviderToken")),
        ContestedSetting(
            33, "bad-storage-policy", "What does a bad message-storage-policy bring?", \.badStoragePolicy,
            [
                ("MissingChannelQueueSize", .missingChannelQueueSize, "sends MissingChannelQueueSize"),
                ("BadRequestParams", .badRequestParams, "sends BadRequestParams"),
            ]),
        ContestedSetting(
            34, "path-or-method", "What is looked at first, path or method?", \.checksMethodFirst,
            no: ("path", "looks at the path first"), yes: ("method", "looks at the method first")),
        ContestedSetting(
            35, "channel-ids", "What do channel ids look like?", \.makesASCIIChannelIDs,
            no: ("random", "makes them of 16 random bytes"), yes: ("ascii", "makes them of 16 letters, digits, + and /")
        ),
        ContestedSetting(
            36, "mdm-credentials", "May MDM pushes go with a provider token?", \.acceptsMDMWithProviderToken,
            no: ("certificate", "refuses them with TopicDisallowed"), yes: ("any", "takes them")),
        ContestedSetting(
            37, "topic-key-suffixes", "Does a topic-specific key cover the suffixed topics of its app?",
            \.topicKeyCoversSuffixes, no: ("refuse", "refuses them with TopicDisallowed"), yes: ("cover", "takes them"),
            usual: true),
        ContestedSetting(
            38, "device-token-or-topic", "What is looked at first, device token or topic?", \.checksTopicFirst,
            no: ("device-token", "looks at the device token first"), yes: ("topic", "looks at the topic first")),
        ContestedSetting(
            39, "team-key-environments", "May a team-scoped key be for both environments?",
            \.limitsTeamKeysToOneEnvironment, no: ("any", "takes keys for one or both"),
            yes: ("one", "registers no team-scoped key for both")),
        ContestedSetting(
            0, "broadcast-defaults", "May a broadcast leave out apns-expiration and apns-priority (2.4)?",
            \.acceptsBroadcastsWithDefaults, no: ("refuse", "refuses it with BadExpirationDate or BadPriority"),
            yes: ("accept", "takes the end of what the channel stores, and 10")),
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
