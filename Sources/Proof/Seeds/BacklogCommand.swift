import WorkerSimulation

/// `apns-seeds backlog`: the curve of the backlog of workers whose gateway fails for a while, as a table in Markdown.
struct BacklogCommand {
    static let help = """
        usage: apns-seeds backlog [OPTION VALUE]...
        Runs workers, an engine and a gateway on virtual time, under steady arrivals. The gateway serves for a minute,
        fails for a while and serves again. Prints a row for each minute until the backlog is gone: the pushes that are
        ready, scheduled for later and in flight at its end; the pushes that were accepted, the requests for pushes
        that the gateway got, and the attempts to connect in it.

          --fault FAULT      unreachable: no connection can be opened; 503: each push is answered with 503
                             (default: one after the other)
          --arrivals NUMBER  pushes a second, 1 to 10000 (default: 60)
          --capacity NUMBER  pushes a second that all workers together send at most, more than arrive (default: 120)
          --workers NUMBER   1 to 100 (default: 2)
          --high PERCENT     the part that arrives in the lane high, 0 to 100; the others arrive in normal (default: 10)
          --outage MINUTES   how long the gateway fails, 1 to 60 (default: 10)
          --every MINUTES    print a row for so many minutes, 1 to 60 (default: 1)
          --seed NUMBER      decides what is random (default: 1)

        The exit status is 0 if no push was lost or double and nothing was left, otherwise 1.
        """

    private var plan = BacklogPlan(.unreachable)
    private var faults = BacklogPlan.Fault.allCases

    /// What is wrong with the words of a call.
    struct Wrong: Error {
        let message: String
    }

    init(_ words: ArraySlice<String>) throws(Wrong) {
        var left = words
        while let name = left.popFirst() {
            guard let text = left.popFirst() else { throw Wrong(message: "\(name) has no value, or is no option") }
            guard set(name, text) else {
                throw Wrong(message: "there is no option \(name), or it does not take \(text)")
            }
        }
        guard plan.capacity > plan.arrivals else {
            throw Wrong(message: "--capacity \(plan.capacity) has to be more than --arrivals \(plan.arrivals)")
        }
    }

    /// - Returns: Whether there is such an option, and it takes the value.
    private mutating func set(_ name: String, _ text: String) -> Bool {
        if name == "--fault", let fault = BacklogPlan.Fault(rawValue: text) {
            faults = [fault]
        } else if name == "--seed", let seed = UInt64(text) {
            plan.seed = seed
        } else {
            return Int(text).map { set(name, $0) } ?? false
        }
        return true
    }

    private mutating func set(_ name: String, _ number: Int) -> Bool {
        switch name {
        case "--arrivals" where (1...10_000).contains(number): plan.arrivals = number
        case "--capacity" where (2...100_000).contains(number): plan.capacity = number
        case "--workers" where (1...100).contains(number): plan.workers = number
        case "--high" where (0...100).contains(number): plan.highPercent = number
        case "--outage" where (1...60).contains(number): plan.outageSeconds = number * 60
        case "--every" where (1...60).contains(number): plan.minutesPerRow = number
        default: return false
        }
        return true
    }

    /// Runs the plan with each fault and prints what came of it.
    ///
    /// - Returns: Whether everything held.
    func show() -> Bool {
        var isGood = true
        for fault in faults {
            var plan = plan
            plan.fault = fault
            var world = BacklogWorld(plan)
            let report = world.run()
            // The output of the program.
            print(BacklogCommand.text(report, of: plan))
            if !report.isGood { isGood = false }
        }
        return isGood
    }

    private static func text(_ report: BacklogReport, of plan: BacklogPlan) -> String {
        let what = plan.fault == .unreachable ? "cannot be reached" : "answers 503"
        let rows = report.rows.map { row in
            let numbers = [row.ready, row.later, row.inFlight, row.accepted, row.attempts, row.connects]
            let columns = ["\(row.minute)", row.isFailing ? "fails" : "serves"] + numbers.map { "\($0)" }
            return "| " + columns.joined(separator: " | ") + " |"
        }
        let hundredths = report.attempts * 100 / max(1, report.arrived)
        return """
            \(plan.arrivals) pushes a second, \(plan.capacity) sent at most, \(plan.workers) workers; \
            the gateway \(what) for \(plan.outageSeconds / 60) min:

            | minute | gateway | ready | later | in flight | accepted | attempts | connects |
            |--:|---|--:|--:|--:|--:|--:|--:|
            \(rows.joined(separator: "\n"))

            The backlog was gone \(text(report.drained)) after the gateway was back. Of the \
            \(report.arrivedBeforeRecovery) pushes that had arrived before, the last of lane high was accepted \
            \(text(report.lastHigh)) after it, the last of lane normal \(text(report.lastNormal)).
            \(report.attempts) attempts for \(report.arrived) pushes, \(hundredths / 100).\(hundredths / 10 % 10)\
            \(hundredths % 10) each and \(report.mostAttempts) at most; \(report.connects) connects. \
            \(report.lost) lost, \(report.doubles) double, \(report.left) left.

            """
    }

    private static func text(_ milliseconds: Int64?) -> String {
        guard let milliseconds else { return "never" }
        let seconds = milliseconds / 1000
        return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
    }
}
