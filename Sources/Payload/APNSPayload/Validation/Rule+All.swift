extension Rule {
    /// Every rule, in the order in which the checks run and in which findings at the same place are listed.
    public static let all: [Rule] =
        aboutPayloads + aboutHeaders + aboutHints + aboutPersonalizedPushes + aboutEntryUpdates + aboutContracts

    private static let aboutPayloads: [Rule] = [
        .payloadEmpty, .payloadTooLarge, .payloadFitsVoIPOnly, .backgroundPriority, .backgroundPriorityAbsent,
        .payloadJSON,
        .payloadObject, .apsObject, .backgroundContentAvailable, .backgroundAlert, .backgroundBadge, .backgroundSound,
        .backgroundPushType, .contentAvailableValue, .contentAvailableForm, .contentAvailableInRoot,
        .apsMissing, .alertShowsNothing, .pushDoesNothing, .otherServiceBody, .apsKeyType, .alertKeyType, .soundKeyType,
        .badgeForm, .badgeRange,
        .soundCriticalValue, .soundCriticalForm, .soundVolumeRange, .soundNameAbsent, .soundFileType,
        .soundObjectWithoutCritical,
        .mutableContentValue, .mutableContentForm, .mutableContentAlert, .interruptionLevelValue, .relevanceScoreRange,
        .locArgsWithoutKey, .locArgsCount, .locKeyPlaceholder, .deprecatedKey,
        .keySpelling, .misspeltKey, .misplacedKey, .unknownAPSKey, .unknownAlertKey, .unknownSoundKey, .apsKeyPushType,
        .repeatedKey, .nullMember, .secretInPayload,
        .liveActivityRequiredKey, .liveActivityEvent, .liveActivityStartKey, .attributesTypeForm,
        .liveActivityStartOnlyKey,
        .liveActivityEndContentState, .liveActivityDateMilliseconds, .liveActivityDateEpoch, .liveActivityTimestampPast,
        .liveActivityDismissalDateEvent, .liveActivityDismissalDateRange, .liveActivityStaleDatePast,
        .liveActivityInputPushBoth, .inputPushTokenValue, .inputPushTokenForm, .inputPushChannelForm,
        .liveActivityFlatLocKey, .liveActivitySoundPlace,
        .backgroundOtherKey, .contentChangedMissing, .contentChangedValue, .contentChangedForm, .reloadOtherKey,
        .fileProviderContainer, .fileProviderDomain, .mdmPushMagic, .mdmOtherKey, .walletContent, .safariAlertText,
        .safariURLArgs, .pushToTalkAPS,
    ]

    public static func named(_ id: String) -> Rule? { all.first { $0.id == id } }
}
