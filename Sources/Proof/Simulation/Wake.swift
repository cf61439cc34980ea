import PushDispatch

/// One call of an app with a push, from the system's side.
///
/// @unchecked: all of it belongs to the thread of the simulation.
final class Wake: @unchecked Sendable {
    /// The one that a task runs for; what it begins inherits it.
    @TaskLocal static var current: Wake?

    enum Role {
        /// The dispatcher has not said yet.
        case unknown
        /// It has a run of the handler of its own.
        case own
        /// It is answered with the result of another one's run.
        case joined(Wake)
        /// The same push, handled a moment ago.
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
    /// In the order of requests and wakes.
    let began: Int
    let deadline: Int64
    /// When its run has to be over: where twins have joined, the earliest of all their deadlines.
    private var limit: Int64
    private(set) var role = Role.unknown
    /// Whether the same payload came in by another entry point a moment before, so that it may be the same push.
    private(set) var isTwin = false
    /// Whether anything of the process but wakes was at work between its beginning and its end.
    var isDisturbed: Bool
    /// The wakes at work meanwhile.
    private var company: [Wake]
    var completions = 0
    var isStopped = false
    var hasRunOutOfTime = false
    var isNotKept = false
    var hasUserChanged = false
    /// Records that a request asked for in its time, and that no answer was stored for.
    var open: Set<RecordID> = []

    init(
        number: Int, push: Push, hint: Hint?, user: RecordID?, entryPoint: EntryPoint, arrived: Int64, began: Int,
        deadline: Int64, isDisturbed: Bool, company: [Wake]
    ) {
        self.number = number
        self.push = push
        self.hint = hint
        self.user = user
        self.entryPoint = entryPoint
        self.arrived = arrived
        self.began = began
        self.deadline = deadline
        limit = deadline
        self.isDisturbed = isDisturbed
        self.company = company
        for wake in company { wake.company.append(self) }
    }

    /// The wake whose run of the handler it is answered with.
    var leader: Wake { if case .joined(let leader) = role { leader } else { self } }

    /// When the run has to be over that it is answered with.
    var runLimit: Int64 { leader.limit }

    /// Whether nothing else of the process was at work in its time.
    var isAlone: Bool {
        !leader.isDisturbed && !isDisturbed
            && (company + leader.company).allSatisfy { other in
                switch other.role {
                case .ignored, .dropped: true
                case .unknown, .own, .joined: other.leader === leader
                }
            }
    }

    /// - Parameter others: The wakes of its process whose payload is the same, those included that are over.
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

    /// What refers to it refers no more.
    func end() { company = [] }
}
