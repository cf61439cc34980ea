/// What became of a push about an entry, for a log. It contains ids and nothing about a person.
public enum EntryUpdateEvent: Hashable, Sendable {
    /// An entry was fetched, and whether its version changed.
    case fetched(String, isChanged: Bool)
    /// It could not be fetched, or the service's version is older than the app's. It is tried again later.
    case postponed(EntryUpdate, reason: String)
    /// The service refused, so trying again is of no use.
    case refused(EntryUpdate, DeliveryError)
    /// The service has published no such entry, or the experience replaces none.
    case notPublished(EntryUpdate)
    /// The experience has more entries than are fetched for a push. The next regular fetch has the others.
    case tooManyEntries(EntryUpdate)
    /// The list was full, and this one is not tried again. The next regular fetch has it.
    case dropped(EntryUpdate)
    /// The list is held in memory only, and stored with its next change.
    case notStored
}
