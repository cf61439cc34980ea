/// The reminders that the screen shows.
public actor Reminders {
    public private(set) var all: [VisitReminder] = []

    public init() {}

    /// Adds a reminder once, since the system may deliver its push again when the user taps it.
    func add(_ reminder: VisitReminder) throws {
        if !all.contains(reminder) { all.append(reminder) }
    }
}
