import EventDelivery
import Personalization

/// The results of calls that report nothing themselves, or the same thing several times.
extension ShopAudit {
    /// All opens of a notification are one call: only one of them has an event.
    func beginOpen(_ marker: String) -> ShopCall {
        guard let call = allCalls[marker] else { return begin("open", marker: marker) }
        return beginAgain(call)
    }

    func endOpen(_ call: ShopCall, _ outcome: OpenEventOutcome?) {
        guard case .queued? = outcome else { return endAgain(call) }
        end(call, isKept: true)
    }

    /// A log-in or log-out holds in the process, and waits to be stored or reported.
    func failUser(_ error: PersonalizationError) {
        switch error.code {
        case .storage: if lastFailure == 0 { violation("cannot store a log-in, although its store works") }
        case .notKept: hasNoSpace(for: "a log-in")
        default: violation("refuses a log-in: \(error)")
        }
    }

    func hasNoSpace(for what: String) { if hasSpace { violation("has no space for \(what)") } }

    func fetchFailed(_ error: DecisionError, began: Int, users: Set<String?>) {
        switch error.code {
        case .consent:
            if answer(purposes.decisions) == [.optedIn] { violation("refuses a fetch although it has consent") }
        case .userChanged:
            if lastUserChange < began, users.count == 1 { violation("ends a fetch for another user, whom nobody is") }
        case .notInitialized:
            if lastFailure == 0 { violation("does not know who fetches") }
        default: violation("ends a fetch with an error: \(error)")
        }
    }
}
