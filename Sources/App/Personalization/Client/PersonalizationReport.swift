/// What happened in the library, for a log or a metric. It contains nothing of an event and nothing about a person.
public enum PersonalizationReport: Hashable, Sendable {
    /// An event that the library made itself is not kept, such as a launch after an opt-out.
    case notKept(kind: String, PersonalizationError)
    /// The state could not be stored, or the queue could not take an event of the library. It is tried again with the next
    /// call.
    case stateNotStored(PersonalizationError)
    /// The stored state was damaged, so this is a new installation: the device's id and the person are unknown. What the person
    /// has agreed to is in the queue's store, which keeps it.
    ///
    /// - Parameter setAside: Where the damaged state is now; empty if it is nowhere.
    case stateDamaged(setAside: String)
}
