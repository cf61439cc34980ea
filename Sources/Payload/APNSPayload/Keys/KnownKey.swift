/// A key that the validator knows, by its place in the payload. Its row in `PayloadKey.all` says all about it.
///
/// The first word of a case is the object that the key stands in; keys of `aps` and of the root have none.
package enum KnownKey: UInt8, CaseIterable, Hashable, Sendable {
    // The root: Apple's, then those of the hint contract.
    case aps, mdm, containerIdentifier, domain, simulatorTargetBundle
    case type, accountId, recordIds, accountName

    case alert, badge, sound, threadID, category, contentAvailable, mutableContent, targetContentID, interruptionLevel
    case relevanceScore, filterCriteria, staleDate, contentState, timestamp, event, dismissalDate, attributesType
    case attributes, inputPushToken, inputPushChannel, contentChanged, urlArgs

    case alertTitle, alertSubtitle, alertBody, alertLaunchImage, alertTitleLocKey, alertTitleLocArgs
    case alertSubtitleLocKey, alertSubtitleLocArgs, alertLocKey, alertLocArgs, alertAction, alertActionLocKey
    case alertSummaryArg, alertSummaryArgCount, alertSound

    case soundCritical, soundName, soundVolume

    // Of the objects that may stand for title and body in the alert of a Live Activity.
    case titleLocKey, titleLocArgs, bodyLocKey, bodyLocArgs
}

extension KnownKey {
    /// Its row in the table.
    package var row: PayloadKey { PayloadKey.all[Int(rawValue)] }

    /// The key as it is spelt in a payload.
    package var name: String { row.name }
}
