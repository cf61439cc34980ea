/// What a push asks to be fetched again.
public enum EntryUpdate: Hashable, Sendable {
    /// `sys.id` of an entry.
    case entry(String)
    /// `nt_experience_id` of an experience: all entries that it replaces.
    case experience(String)
}
