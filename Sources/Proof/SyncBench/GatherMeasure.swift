import PushDispatch
import SelectiveSync

/// The time to plan the requests for the hints of 10,000 pushes.
enum GatherMeasure {
    static func measure() async {
        let hints = (0..<10_000).map { [Bench.id($0 % 9_000)] }
        let seconds = await Bench.fastest(of: 10) {
            var core = SyncCore(objects: [Bench.account], policy: SyncPolicy())
            for (number, records) in hints.enumerated() {
                _ = core.receive(
                    records, of: "Account", mark: PendingMark(number: Int64(number)),
                    stopAt: DispatchMoment(milliseconds: 24_000), at: DispatchMoment(milliseconds: 0))
            }
            let starts = core.next(at: DispatchMoment(milliseconds: 100))
            precondition(starts.first?.fetch.records.count == 2_000)
        }
        Bench.show("gather-10000-hints", seconds * 1_000, "ms", limit: 50)
    }
}
