import PushDispatch

/// One delivery of a push to the app, as the system sees it.
///
/// @unchecked: only the thread of the simulation uses it.
final class Wake: @unchecked Sendable {
    /// The wake of the current task; tasks started by it inherit the value.
    @TaskLocal static var current: Wake?

    enum Role {
        /// The dispatcher has not decided yet.
        case unknown
        /// The wake has its own run of the handler.
        case own
        /// The wake gets the result of another wake's run.
        case joined(Wake)
        /// The same push was handled a moment before.
        case dropped
        case ignored
    }

    let number: Int
    let push: Push
    let hint: Hint?
    let user: RecordID?
    let entryPoint: EntryPoint
    /// In milliseconds of the simulated time.
    let arrived: Int64
    /// Its position in the common order of requests and wakes.
    let began: Int
    let deadline: Int64
    /// The newest hint in the store when it came in.
    let mark: PendingMark
    /// The time limit of its run; with joined twins, the earliest of all their deadlines.
    private var limit: Int64
    private(set) var role = Role.unknown
    /// Whether the same payload arrived by another entry point a moment before, so that it may be the same push.
    private(set) var isTwin = false
    /// Whether the process did anything besides handling wakes between the beginning and end of this one.
    var isDisturbed: Bool
    /// The wakes that were handled at the same time.
    private var concurrentWakes: [Wake]
    var completions = 0
    var isStopped = false
    var hasRunOutOfTime = false
    var isNotKept = false
    var hasUserChanged = false
    /// Whether the store failed when the hints of earlier pushes, or the progress, were read.
    var couldNotRead = false
    /// Records that were requested during the wake and for which no answer was stored.
    var open: Set<RecordID> = []

    init(
        number: Int, push: Push, hint: Hint?, user: RecordID?, entryPoint: EntryPoint, arrived: Int64, began: Int,
        deadline: Int64, mark: PendingMark, isDisturbed: Bool, concurrentWakes: [Wake]
    ) {
        self.number = number
        self.push = push
        self.hint = hint
        self.user = user
        self.entryPoint = entryPoint
        self.arrived = arrived
        self.began = began
        self.deadline = deadline
        self.mark = mark
        limit = deadline
        self.isDisturbed = isDisturbed
        self.concurrentWakes = concurrentWakes
        for wake in concurrentWakes { wake.concurrentWakes.append(self) }
    }

    /// The wake whose run of the handler gives the result.
    var leader: Wake { if case .joined(let leader) = role { leader } else { self } }

    /// The time limit of that run.
    var runLimit: Int64 { leader.limit }

    /// Whether the process did nothing else during the wake.
    var isAlone: Bool {
        !leader.isDisturbed && !isDisturbed
            && (concurrentWakes + leader.concurrentWakes).allSatisfy { other in
                switch other.role {
                case .ignored, .dropped: true
                case .unknown, .own, .joined: other.leader === leader
                }
            }
    }

    /// - Parameter others: The wakes of the process with the same payload, including completed ones.
    func note(_ event: DispatchEvent, _ others: [Wake], twinWindow: Int64) {
        switch event {
        case .ignored: role = .ignored
        case .duplicateDropped:
            role = .dropped
            setTwin(others, twinWindow)
        case .duplicateJoined:
            setTwin(others, twinWindow)
            let runs = others.filter { if case .own = $0.role { $0.completions == 0 && !$0.isStopped } else { false } }
            guard let leader = runs.last else { return }
            leader.limit = min(leader.limit, deadline)
            role = .joined(leader)
        case .started, .fetchAgain: if case .unknown = role { role = .own }
        case .handlerStopped:
            isStopped = true
            if case .unknown = role { role = .own }
        default: break
        }
    }

    private func setTwin(_ others: [Wake], _ window: Int64) {
        isTwin = others.contains { $0.entryPoint != entryPoint && arrived - $0.arrived <= window }
    }

    /// Breaks reference cycles between wakes.
    func end() { concurrentWakes = [] }
}
