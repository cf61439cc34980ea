extension Rule {
    /// Rules about headers, and about the files that payloads are read from.
    static let aboutHeaders: [Rule] = [
        .envelopeUnknownKey, .envelopeRepeatedKey, .envelopeValueKind, .envelopeEncoding, .headerInPayload,
        .deviceTokenForm, .deviceTokenLength,
        .topicForm, .topicLength, .topicSuffix, .mdmTopic, .mdmTopicPushType,
        .pushTypeUnknown, .pushTypeAbsent, .pushTypeForTopic,
        .priorityValue, .priorityForPushType,
        .expirationForm, .expirationNegative, .expirationMilliseconds, .expirationRelative, .expirationFar,
        .expirationForPushType,
        .collapseIDLength, .collapseIDCharacters, .collapseIDForm, .apnsIDForm,
        .channelAndDeviceToken, .channelIDForm, .broadcastPushType, .broadcastPushTypeAbsent, .broadcastHeaders,
        .broadcastStart, .liveActivityDataSize,
        .simulatorAPS, .simulatorTarget, .simulatorTargetSpelling, .simulatorPushType, .simulatorKeyInPayload,
    ]

    /// Rules about the hints of selective sync. The validator always knows their contract.
    static let aboutHints: [Rule] = [
        .hintRecord, .hintRecordSuffix, .hintTooManyRecords, .hintPersonalData, .hintExtraKey, .hintChangedFields,
        .hintSilent, .hintType, .hintInAPS, .hintTest,
    ]

    static let aboutPersonalizedPushes: [Rule] = [
        .personalizedType, .personalizedAlert, .personalizedPoints, .personalizedContext, .personalizedLink,
        .personalizedUnknownKey,
    ]

    static let aboutEntryUpdates: [Rule] = [.entryUpdateType, .entryUpdateSubject, .entryUpdateLocale]

    /// Rules about the contracts of the app. They find nothing without one.
    static let aboutContracts: [Rule] = [
        .contractMatch, .contractMissingKey, .contractKeyType, .contractStringFormat, .contractRange,
        .contractUnknownKey,
        .contractForbiddenKey, .contractVisibility, .contractSize,
    ]
}
