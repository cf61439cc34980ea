/// Finds a surge of refusals that blame the device token. A few are normal; when most pushes get them, the environment or the
/// topic of the tenant is wrong.
package struct SuspectMeter: Hashable, Sendable {
    private var answers = 0
    private var suspects = 0

    /// Counts fall by half at this many answers, so that old ones lose their weight.
    private static let window = 400
    package static let leastSuspects = 20

    package init() {}

    /// - Returns: Whether this is a surge: at least `leastSuspects`, and at least half of the last answers.
    package mutating func count(isSuspect: Bool) -> Bool {
        answers += 1
        if isSuspect { suspects += 1 }
        if answers >= SuspectMeter.window {
            answers /= 2
            suspects /= 2
        }
        return isSuspect && suspects >= SuspectMeter.leastSuspects && suspects * 2 >= answers
    }

    package mutating func reset() { self = SuspectMeter() }
}
