import DeviceSimulator
import PushDispatch
import SelectiveSync

/// What happens on a device, in words for a person. The JSON events quote some of them.
enum DeviceEventText {
    /// The state of the device, such as `online, app background`.
    static func words(_ state: DeviceState) -> String {
        var words: [String] = []
        if let isOnline = state.isOnline { words.append(isOnline ? "online" : "offline") }
        if let appState = state.appState { words.append("app \(appState)") }
        if state.isInLowPower == true { words.append("low power") }
        if state.isInLowData == true { words.append("low data") }
        if state.allowsBackgroundRefresh == false { words.append("background refresh off") }
        switch state.channels.count {
        case 0: break
        case 1: words.append("channel \(state.channels[0])")
        default: words.append("channels \(state.channels.joined(separator: ", "))")
        }
        return words.joined(separator: ", ")
    }

    /// Nil for an event that another line shows.
    static func text(of event: DispatchEvent) -> String? {
        switch event {
        case .received, .finished: nil
        // A push without a type is an ordinary one; the line for `ignored` says so.
        case .issue(let issue): issue.code == .missingKey && issue.pointer == "/type" ? nil : "issue: \(issue)"
        case .ignored(let cause): "nothing to fetch: \(words(cause))"
        case .duplicateDropped, .duplicateJoined: "a duplicate push"
        case .fetchAgain: "a duplicate push after the request was sent: fetched again"
        case .started(let object, let records): "dispatch: \(object) \(list(records))"
        case .startedMessage(let type): "dispatch: \(type)"
        case .handlerFailed(let type): "the handler failed: \(type)"
        case .handlerStopped(let cause): "the handler was stopped: \(cause.rawValue)"
        case .handlerLate: "the handler finished too late"
        case .kept(let object, let records): "pending: \(object) \(list(records))"
        case .notKept(let object, let records, _): "not kept: \(object) \(list(records))"
        case .storeLate: "the pending store finished too late"
        }
    }

    private static func words(_ cause: PushIgnoreCause) -> String {
        switch cause {
        case .missingType: "the payload has no hint (no \"type\")"
        case .unknownType: "the app has no handler for this \"type\""
        case .missingKey: "the key with the record ids is missing"
        case .noRecords: "it names no records"
        case .unreadable: "it cannot be read"
        case .otherUser: "its user is not logged in"
        }
    }

    static func text(of event: SyncEvent) -> String {
        switch event {
        case .unknownObject(let object): "no such object on this device: \(object)"
        case .merged(let object, let counts): "fetched and merged: \(object), \(words(counts))"
        case .fetchFailed(let object, let error) where error.code == .noSession:
            "\(object) was not fetched\(error.advice == .stop ? "" : " and stays pending"): \(error.detail); "
                + (error.advice == .logIn
                    ? "set APNS_ORG_TOKEN to a valid access token" : "start the device with --org URL")
        case .fetchFailed(let object, let error): "the fetch of \(object) failed: \(error)"
        case .retrying(let object, let milliseconds): "\(object) is requested again in \(milliseconds) ms"
        case .regularSyncNeeded(let object): "\(object) needs a regular sync, which has to fetch what hints could not"
        case .uploadFailed(let object, let error): "upload of \(object) failed: \(error)"
        case .uploaded(let object, let report):
            "upload of \(object): \(report.state), \(report.uploaded) uploaded, \(report.conflicts.count) in conflict, "
                + "\(report.refused.count) refused"
        case .regularSync(let object, let state): "regular sync of \(object): \(state)"
        case .received(let object, let records, let total):
            "\(records)\(total.map { " of \($0)" } ?? "") records of \(object)"
        case .storeFailed(let object, let type): "the store failed for \(object): \(type)"
        case .pendingFailed(let type): "the pending store failed: \(type)"
        }
    }

    static func words(_ counts: MergeCounts) -> String {
        let all = [
            (counts.inserted, "inserted"), (counts.replaced, "replaced"), (counts.removed, "removed"),
            (counts.marked, "marked as gone"),
            (counts.unchanged, "unchanged"), (counts.older, "older than here"),
            (counts.dirty, "left with unsent edits"),
            (counts.dirtyMissing.count, "gone, but with unsent edits"), (counts.absent, "unknown on both sides"),
        ]
        return all.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    private static func list(_ records: [RecordID]) -> String {
        let shown = records.prefix(3).map(\.description).joined(separator: ", ")
        return records.count > 3 ? "\(shown) and \(records.count - 3) more" : shown
    }
}
