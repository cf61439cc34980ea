/// The result of one check of one run.
package struct DoctorResult: Hashable, Sendable {
    /// The id of the check.
    package var check: String
    package var layer: DoctorLayer
    package var state: DoctorState
    package var message: String
    /// What to do; empty where nothing is to be done.
    package var next: String

    package init(check: String, layer: DoctorLayer, state: DoctorState, message: String, next: String) {
        self.check = check
        self.layer = layer
        self.state = state
        self.message = message
        self.next = next
    }
}

/// The numbers of a run.
package struct DoctorSummary: Hashable, Sendable {
    private var counts: [DoctorState: Int] = [:]

    package init() {}

    package mutating func add(_ result: DoctorResult) { counts[result.state, default: 0] += 1 }

    package subscript(state: DoctorState) -> Int { counts[state] ?? 0 }

    /// Whether nothing failed.
    package var isGood: Bool { self[.fail] == 0 }
}
