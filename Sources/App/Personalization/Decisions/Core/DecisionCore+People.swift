import EventDelivery
import PushDispatch

/// Who uses the app, what they have agreed to, and whether there is a connection.
extension DecisionCore {
    /// Somebody logs in or out, or the app says at its start who uses it.
    ///
    /// What another person has in the cache is removed. Nothing of a request in progress is shown or kept.
    mutating func identityChanged(to new: IdentitySnapshot) -> [Action] {
        guard new != identity else { return [] }
        let former = identity
        identity = new
        let isOther = former.map { DecisionCore.isOther($0, new) } ?? false
        let removed = isOther ? cache.removeAll() : cache.keepOnly(user: DecisionCache.Key.user(new))
        var actions = dropRequests(.userChanged)
        // What is stored may be more than what could be loaded, so it goes in any case.
        if isOther || removed > 0 { actions += erased(removed) }
        return actions
    }

    private static func isOther(_ former: IdentitySnapshot, _ new: IdentitySnapshot) -> Bool {
        (former.userID, former.deviceID, former.individualID, former.generation)
            != (new.userID, new.deviceID, new.individualID, new.generation)
    }

    /// Opting out removes what is in the cache. Opting in repeats no fetch.
    mutating func consentChanged(to state: ConsentState) -> [Action] {
        guard state != consent else { return [] }
        consent = state
        switch state {
        case .optedIn: return []
        case .pending: return dropRequests(.consent)
        case .optedOut:
            let removed = cache.removeAll()
            return dropRequests(.consent) + erased(removed)
        }
    }

    mutating func networkChanged(isOnline: Bool) { self.isOnline = isOnline }

    mutating func eraseCache() -> [Action] { erased(cache.removeAll()) }

    /// What was stored by an earlier process.
    mutating func loaded(_ stored: [UInt8]) throws(DecisionCache.Damage) -> [Action] {
        try cache.load(stored)
        guard let identity else { return [] }
        let removed = cache.keepOnly(user: DecisionCache.Key.user(identity))
        return removed > 0 ? erased(removed) : []
    }

    private func erased(_ replies: Int) -> [Action] {
        [.save(erases: true)] + (replies > 0 ? [.report(.erased(replies: replies))] : [])
    }

    private mutating func dropRequests(_ failure: DecisionError) -> [Action] {
        let actions =
            requests.keys.sorted().map { Action.stop($0) }
            + calls.keys.sorted().map { .answer($0, .failure(failure)) }
        requests = [:]
        calls = [:]
        return actions
    }
}
