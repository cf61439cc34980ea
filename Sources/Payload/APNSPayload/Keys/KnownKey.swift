/// A key that the validator knows, in one object of the payload. `PayloadKey.all` has an entry for each.
///
/// The first word of a case is the object of the key; keys of `aps` and of the root have no such word.
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

    // The objects that the title and body of a Live Activity's alert can be.
    case titleLocKey, titleLocArgs, bodyLocKey, bodyLocArgs
}

extension KnownKey {
    /// Its entry in the table.
    package var row: PayloadKey { PayloadKey.all[Int(rawValue)] }

    /// The name in a payload.
    package var name: String { row.name }
}
