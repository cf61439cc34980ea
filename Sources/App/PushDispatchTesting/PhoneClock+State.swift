import PushDispatch

extension PhoneClock {
    typealias Sleep = CheckedContinuation<Void, any Error>
    typealias Resumption = () -> Void

    struct Sleeper {
        let until: DispatchMoment
        /// False for a sleep that ends only when the time passes for another reason.
        let movesTime: Bool
        let continuation: Sleep
    }

    enum Limit {
        /// `waiting` is nil until the task of the limit waits.
        case set(at: DispatchMoment, waiting: CheckedContinuation<Bool, Never>?)
        /// Reached, and its action is not over. Sleeps with numbers up to `lastNumber` had begun by then.
        case acting(lastNumber: Int)
    }

    struct State {
        enum Event {
            case limit(Int)
            case wake(until: DispatchMoment)
        }

        var now = DispatchMoment(milliseconds: 0)
        /// Of sleeps, limits and calls that hang, in the order in which they began.
        private var lastNumber = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Calls of `hang()`.
        var hanging: [Int] = []
        /// Sleeps that were cancelled before they began to wait.
        var cancelled: Set<Int> = []
        var limits: [Int: Limit] = [:]
        /// Sleeps with numbers up to this one may belong to stopped work.
        var lastStopped = 0
        var waitingForAction: [(limit: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var activity = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            activity += 1
            return lastNumber
        }

        private var nextLimit: (number: Int, moment: DispatchMoment)? {
            limits.compactMap { number, limit -> (number: Int, moment: DispatchMoment)? in
                if case .set(let moment, _) = limit { (number, moment) } else { nil }
            }.min { ($0.moment, $0.number) < ($1.moment, $1.number) }
        }

        /// The next sleep or limit; of both at the same moment the limit.
        func nextEvent(upTo end: DispatchMoment?) -> Event? {
            let wake = sleepers.values.map(\.until).min()
            func isAllowed(_ moment: DispatchMoment) -> Bool { end.map { moment <= $0 } ?? true }
            if let limit = nextLimit, isAllowed(limit.moment), wake.map({ limit.moment <= $0 }) ?? true {
                return .limit(limit.number)
            }
            guard let wake, isAllowed(wake) else { return nil }
            return .wake(until: wake)
        }

        /// Lets the time of the next sleep pass, or the time until a limit that comes first.
        mutating func drive() -> [Resumption] {
            // The action of a limit ends before time goes on.
            let isActing = limits.values.contains { if case .acting = $0 { true } else { false } }
            guard !isActing else { return [] }
            let next = sleepers.filter { $0.value.movesTime && $0.key > lastStopped }.map(\.value.until).min()
            guard let next else {
                guard let limit = nextLimit, hanging.contains(where: { $0 > lastStopped }) else { return [] }
                return reach(limit.number)
            }
            if let limit = nextLimit, limit.moment <= next { return reach(limit.number) }
            return wake(until: next)
        }

        mutating func reach(_ number: Int) -> [Resumption] {
            guard case .set(let moment, let waiting) = limits[number] else { return [] }
            activity += 1
            now = max(now, moment)
            limits[number] = .acting(lastNumber: lastNumber)
            return [{ waiting?.resume(returning: true) }]
        }

        mutating func wake(until moment: DispatchMoment) -> [Resumption] {
            activity += 1
            now = max(now, moment)
            let due = sleepers.filter { $0.value.until <= now }
                .sorted { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
            for (number, _) in due { sleepers[number] = nil }
            return due.map { sleeper in { sleeper.value.continuation.resume() } }
        }
    }
}
