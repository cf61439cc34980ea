import SelectiveSync

/// The use of limits that are reset by the hour or day.
struct OrgUsage: Hashable, Sendable {
    private var day: Int64 = .min
    private var calls = 0
    private var hour: Int64 = .min
    private var pushes = 0
    /// The hour in which expired deletions were last removed from memory.
    var purgedHour: Int64 = .min

    func calls(at now: ServerDate) -> Int { day == now.day ? calls : 0 }

    mutating func addCalls(_ count: Int, at now: ServerDate) {
        calls = self.calls(at: now) + count
        day = now.day
    }

    func pushes(at now: ServerDate) -> Int { hour == now.hour ? pushes : 0 }

    mutating func addPushes(_ count: Int, at now: ServerDate) {
        pushes = self.pushes(at: now) + count
        hour = now.hour
    }
}
