import APNSModel

/// A run whose choices come from its seed, and that records what it does.
protocol SeededRun: AnyObject {
    var random: SeededGenerator { get set }
    var journal: RunJournal { get }
}

extension SeededRun {
    func number(below limit: Int) -> Int { limit > 0 ? Int(random.next() % UInt64(limit)) : 0 }

    func chance(_ percent: Int) -> Bool { percent > 0 && number(below: 100) < percent }

    func pick<Value>(_ values: [Value]) -> Value? { values.isEmpty ? nil : values[number(below: values.count)] }

    func trace(_ text: @autoclosure () -> String) { journal.trace(text()) }

    func reportViolation(_ text: String) { journal.reportViolation(text) }

    func count(_ kind: SimulationReport.Kind, _ number: Int = 1) { journal.count(kind, number) }
}
