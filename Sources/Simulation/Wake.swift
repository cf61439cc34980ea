import PushDispatch

/// One call of an app with a push, from the system's side.
///
/// @unchecked: all of it belongs to the thread of the simulation.
final class Wake: @unchecked Sendable {
    /// The one that a task runs for; what it begins inherits it.
    @TaskLocal static var current: Wake?

    let number: Int
    let payload: [UInt8]
    let hint: Hint?
    let user: RecordID?
    let entryPoint: EntryPoint
    /// In the order of requests and wakes.
    let began: Int
    let deadline: Int64
    /// How often a selective fetch had brought news by then.
    let newsBefore: Int
    /// Whether nothing else of the process was at work from its beginning to its end.
    var isAlone: Bool
    var completions = 0
    var isIgnored = false
    var isTwinDropped = false
    /// It is answered with its twin, which came before and may have been served before.
    var isJoined = false
    var isStopped = false
    var isNotKept = false
    var hasUserChanged = false
    /// Records of it that were stored anew, changed or removed by a request of its own time.
    var news: Set<RecordID> = []

    init(
        number: Int, payload: [UInt8], hint: Hint?, user: RecordID?, entryPoint: EntryPoint, began: Int,
        deadline: Int64, newsBefore: Int, isAlone: Bool
    ) {
        self.number = number
        self.payload = payload
        self.hint = hint
        self.user = user
        self.entryPoint = entryPoint
        self.began = began
        self.deadline = deadline
        self.newsBefore = newsBefore
        self.isAlone = isAlone
    }

    func note(_ event: DispatchEvent) {
        switch event {
        case .ignored: isIgnored = true
        case .twinDropped: isTwinDropped = true
        case .twinJoined: isJoined = true
        case .handlerStopped: isStopped = true
        default: break
        }
    }
}
