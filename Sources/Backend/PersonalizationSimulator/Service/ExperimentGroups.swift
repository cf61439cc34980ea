import ServiceHost

/// How many people each group of an experiment has had.
package struct ExperimentGroups: Sendable {
    /// A person in an experiment, with the decision that the experiment gave first.
    struct Member: Hashable, Sendable, Codable {
        let experiment: String
        let person: String
        let group: String
    }

    private(set) var members = TrackedTable<Member>()
    private var numbers: [String: [String: Int]] = [:]
    private let limit: Int
    /// People that no longer fit.
    package internal(set) var dropped = 0

    /// - Parameter limit: People in all experiments together; one in two experiments counts twice.
    init(limit: Int) { self.limit = limit }

    /// By name of the decision.
    package func counts(of experiment: String) -> [String: Int] { numbers[experiment] ?? [:] }

    mutating func add(_ person: String, to group: String, of experiment: String) {
        add(Member(experiment: experiment, person: person, group: group))
    }

    mutating func add(_ member: Member) {
        let key = "\(member.experiment.utf8.count):\(member.experiment)\(member.person)"
        guard members.values[key] == nil else { return }
        guard members.count < limit else {
            dropped += 1
            return
        }
        members[key] = member
        numbers[member.experiment, default: [:]][member.group, default: 0] += 1
    }

    mutating func track(_ mode: ChangeTracking) { members.track(mode) }
    mutating func takeChanges() -> [String] { members.takeChanges() }
}
