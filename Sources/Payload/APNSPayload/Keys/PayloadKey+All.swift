extension PayloadKey {
    /// Every known key, in the order of `KnownKey`.
    package static let all: [PayloadKey] = root + aps + alert + inner

    private static let root: [PayloadKey] = [
        PayloadKey(
            .aps, "aps", in: .root, .object, pushTypes: .any.subtracting([.mdm]), evidence: .ofClients,
            "What the system reads; the app's own keys are beside it."),
        PayloadKey(
            .mdm, "mdm", in: .root, .string, pushTypes: .mdm, source: RuleSource.mdm,
            "The push magic of the device; an MDM push has this key only."),
        PayloadKey(
            .containerIdentifier, "container-identifier", in: .root, .string, pushTypes: .fileprovider,
            source: RuleSource.fileProvider, "The item that changed: its id, or the root or working-set constant."),
        PayloadKey(
            .domain, "domain", in: .root, .string, pushTypes: .fileprovider, needs: .containerIdentifier,
            source: RuleSource.fileProvider, "The domain of the File Provider that the item belongs to."),
        PayloadKey(
            .simulatorTargetBundle, "Simulator Target Bundle", in: .root, .string, pushTypes: [.alert, .background],
            layer: .style, source: RuleSource.simulator,
            "The bundle id of the app on the simulator; for files of simctl push only, and never sent."),
        PayloadKey(
            .type, "type", in: .root, .string, pushTypes: .any, evidence: .hintContract,
            source: RuleSource.hintContract, "The kind of records that a hint names."),
        PayloadKey(
            .accountId, "accountId", in: .root, .string, pushTypes: .any, needs: .type, evidence: .hintContract,
            source: RuleSource.hintContract, "The account that changed."),
        PayloadKey(
            .recordIds, "recordIds", in: .root, .strings, pushTypes: .any, needs: .type, evidence: .hintContract,
            source: RuleSource.hintContract, "The records that changed."),
        PayloadKey(
            .accountName, "accountName", in: .root, .string, pushTypes: .any, evidence: .hintContract, layer: .style,
            source: RuleSource.hintContract, "The name of a customer, which does not belong in a push."),
    ]

    private static let aps: [PayloadKey] = [
        PayloadKey(
            .alert, "alert", in: .aps, [.string, .object], pushTypes: [.alert, .liveactivity],
            "What the notification shows; an object is recommended."),
        PayloadKey(
            .badge, "badge", in: .aps, .integer, range: 0...9_007_199_254_740_991, pushTypes: .alert,
            "The number on the app's icon; 0 removes it."),
        PayloadKey(
            .sound, "sound", in: .aps, [.string, .object], pushTypes: .alert,
            "A sound file of the app, default, or an object for a critical alert."),
        PayloadKey(
            .threadID, "thread-id", in: .aps, .string, pushTypes: .alert, since: "iOS 10",
            "Groups notifications on the screen."),
        PayloadKey(
            .category, "category", in: .aps, .string, pushTypes: .alert, since: "iOS 8",
            "A category that the app has registered, which gives the notification its actions."),
        PayloadKey(
            .contentAvailable, "content-available", in: .aps, .one, tolerated: .likeOne,
            pushTypes: [.alert, .background], since: "iOS 7", source: RuleSource.backgroundUpdates,
            "The number 1 wakes the app for background work."),
        PayloadKey(
            .mutableContent, "mutable-content", in: .aps, .one, tolerated: .likeOne, pushTypes: .alert,
            needs: .alert, since: "iOS 10", "The number 1 hands an alert to the notification service extension first."),
        PayloadKey(
            .targetContentID, "target-content-id", in: .aps, .string, pushTypes: .alert, since: "iOS 13",
            "Selects the window that the app brings to the front."),
        PayloadKey(
            .interruptionLevel, "interruption-level", in: .aps, .string,
            values: ["passive", "active", "time-sensitive", "critical"], pushTypes: .alert, since: "iOS 15",
            "How urgent the notification is; active if absent."),
        PayloadKey(
            .relevanceScore, "relevance-score", in: .aps, .number, range: 0...1, unboundedIn: .liveactivity,
            pushTypes: [.alert, .liveactivity], since: "iOS 15",
            "The rank among several notifications; any number for a Live Activity, otherwise 0 to 1."),
        PayloadKey(
            .filterCriteria, "filter-criteria", in: .aps, .string, pushTypes: .alert, since: "iOS 16",
            "The string that a Focus filter compares."),
        PayloadKey(
            .staleDate, "stale-date", in: .aps, .number, form: .unixSeconds, pushTypes: .liveactivity,
            since: "iOS 16.2", source: RuleSource.liveActivities,
            "When the Live Activity counts as out of date, in seconds since 1970."),
        PayloadKey(
            .contentState, "content-state", in: .aps, .object, pushTypes: .liveactivity, since: "iOS 16.1",
            source: RuleSource.liveActivities,
            "The changing content of the Live Activity, as its ContentState decodes it."),
        PayloadKey(
            .timestamp, "timestamp", in: .aps, .number, form: .unixSeconds, pushTypes: .liveactivity,
            since: "iOS 16.1", source: RuleSource.liveActivities,
            "When the update was made, in seconds since 1970; an update older than the last one is ignored."),
        PayloadKey(
            .event, "event", in: .aps, .string, values: ["start", "update", "end"], pushTypes: .liveactivity,
            since: "iOS 16.1; start iOS 17.2", source: RuleSource.liveActivities, "What happens to the Live Activity."),
        PayloadKey(
            .dismissalDate, "dismissal-date", in: .aps, .number, form: .unixSeconds, pushTypes: .liveactivity,
            needs: .event, since: "iOS 16.1", source: RuleSource.liveActivities,
            "When an ended Live Activity leaves the lock screen, in seconds since 1970."),
        PayloadKey(
            .attributesType, "attributes-type", in: .aps, .string, pushTypes: .liveactivity, needs: .event,
            since: "iOS 17.2", source: RuleSource.liveActivities,
            "The name of the Swift type of the attributes; for start."),
        PayloadKey(
            .attributes, "attributes", in: .aps, .object, pushTypes: .liveactivity, needs: .attributesType,
            since: "iOS 17.2", source: RuleSource.liveActivities,
            "The content of the Live Activity that never changes; for start."),
        PayloadKey(
            .inputPushToken, "input-push-token", in: .aps, .one, tolerated: .likeOne, pushTypes: .liveactivity,
            needs: .event, excludes: .inputPushChannel, since: "iOS 18", source: RuleSource.liveActivities,
            "The number 1, in a start, requests a device token for updates."),
        PayloadKey(
            .inputPushChannel, "input-push-channel", in: .aps, .string, form: .base64, pushTypes: .liveactivity,
            needs: .event, excludes: .inputPushToken, since: "iOS 18", source: RuleSource.broadcasts,
            "The base64 id of the channel that the started Live Activity subscribes to."),
        PayloadKey(
            .contentChanged, "content-changed", in: .aps, .true, tolerated: [.one, .likeOne],
            pushTypes: [.controls, .widgets], since: "iOS 18; widgets iOS 26", source: RuleSource.controls,
            "True reloads the app's controls or widgets."),
        PayloadKey(
            .urlArgs, "url-args", in: .aps, .strings, pushTypes: .alert, since: "OS X 10.9", source: RuleSource.safari,
            "The arguments of a website's URL format; for Safari website pushes only."),
    ]

    private static let alert: [PayloadKey] = [
        PayloadKey(
            .alertTitle, "title", in: .alert, .string, typesInLiveActivity: [.string, .object],
            pushTypes: [.alert, .liveactivity], "The first line; a watch shows it in the short look as well."),
        PayloadKey(
            .alertSubtitle, "subtitle", in: .alert, .string, pushTypes: .alert, since: "iOS 10", "The second line."),
        PayloadKey(
            .alertBody, "body", in: .alert, .string, typesInLiveActivity: [.string, .object],
            pushTypes: [.alert, .liveactivity], "The text."),
        PayloadKey(
            .alertLaunchImage, "launch-image", in: .alert, .string, pushTypes: .alert,
            "The image or storyboard that is shown while the app launches."),
        PayloadKey(
            .alertTitleLocKey, "title-loc-key", in: .alert, .string, pushTypes: .alert,
            "The key of the title in the app's strings file."),
        PayloadKey(
            .alertTitleLocArgs, "title-loc-args", in: .alert, .strings, pushTypes: .alert, needs: .alertTitleLocKey,
            "What fills the places of the title."),
        PayloadKey(
            .alertSubtitleLocKey, "subtitle-loc-key", in: .alert, .string, pushTypes: .alert, since: "iOS 10",
            "The key of the subtitle in the app's strings file."),
        PayloadKey(
            .alertSubtitleLocArgs, "subtitle-loc-args", in: .alert, .strings, pushTypes: .alert,
            needs: .alertSubtitleLocKey, since: "iOS 10", "What fills the places of the subtitle."),
        PayloadKey(
            .alertLocKey, "loc-key", in: .alert, .string, pushTypes: .alert,
            "The key of the text in the app's strings file."),
        PayloadKey(
            .alertLocArgs, "loc-args", in: .alert, .strings, pushTypes: .alert, needs: .alertLocKey,
            "What fills the places of the text."),
        PayloadKey(
            .alertAction, "action", in: .alert, .string, pushTypes: .alert, source: RuleSource.safari,
            "The label of the button of a Safari website push."),
        PayloadKey(
            .alertActionLocKey, "action-loc-key", in: .alert, [.string, .null], pushTypes: .alert, layer: .style,
            deprecation: "iOS 10 and later ignore it; give the notification a category with actions.",
            source: RuleSource.legacyGuide, "The key of the button's label; null removes the button."),
        PayloadKey(
            .alertSummaryArg, "summary-arg", in: .alert, .string, pushTypes: .alert, layer: .style, since: "iOS 12",
            deprecation: "iOS 15 and later ignore it.", "The name for the summary of a group."),
        PayloadKey(
            .alertSummaryArgCount, "summary-arg-count", in: .alert, .integer, range: 0...9_007_199_254_740_991,
            pushTypes: .alert, layer: .style, since: "iOS 12", deprecation: "iOS 15 and later ignore it.",
            "How many items this notification counts as in the summary of a group."),
        PayloadKey(
            .alertSound, "sound", in: .alert, .string, pushTypes: .liveactivity, since: "iOS 16.1",
            source: RuleSource.liveActivities, "The sound of a Live Activity's alert."),
    ]

    private static let inner: [PayloadKey] = [
        PayloadKey(
            .soundCritical, "critical", in: .sound, .one, tolerated: .likeOne, pushTypes: .alert, since: "iOS 12",
            "The number 1 makes the alert a critical one, which needs an entitlement."),
        PayloadKey(
            .soundName, "name", in: .sound, .string, pushTypes: .alert, since: "iOS 12",
            "A sound file of the app, or default."),
        PayloadKey(
            .soundVolume, "volume", in: .sound, .number, range: 0...1, pushTypes: .alert, since: "iOS 12",
            "The volume of a critical alert, 0 to 1."),
        PayloadKey(
            .titleLocKey, "loc-key", in: .titleText, .string, pushTypes: .liveactivity, since: "iOS 16.1",
            source: RuleSource.liveActivities, "The key of the title in the app's strings file."),
        PayloadKey(
            .titleLocArgs, "loc-args", in: .titleText, .strings, pushTypes: .liveactivity, needs: .titleLocKey,
            since: "iOS 16.1", source: RuleSource.liveActivities, "What fills the places of the title."),
        PayloadKey(
            .bodyLocKey, "loc-key", in: .bodyText, .string, pushTypes: .liveactivity, since: "iOS 16.1",
            source: RuleSource.liveActivities, "The key of the text in the app's strings file."),
        PayloadKey(
            .bodyLocArgs, "loc-args", in: .bodyText, .strings, pushTypes: .liveactivity, needs: .bodyLocKey,
            since: "iOS 16.1", source: RuleSource.liveActivities, "What fills the places of the text."),
    ]
}
