/// The visits that the user was reminded of, for the screen.
public actor Reminders {
    public private(set) var all: [VisitReminder] = []

    public init() {}

    func add(_ reminder: VisitReminder) throws { all.append(reminder) }
}
