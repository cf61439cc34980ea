import PushDispatch
import SelectiveSync

/// The accepted hints whose records no request has fetched yet.
struct HintLedger {
    struct Debt {
        let record: RecordID
        let object: String
        /// Only a request that began later counts.
        let since: Int
        let wake: Int
        /// Whether the list dropped the hint in favour of a regular sync.
        var isDropped = false
    }

    private var debts: [Debt] = []
    /// When the regular sync of each mark began.
    private var begun: [PendingMark: Int] = [:]
    /// When the last completed regular sync of an object began.
    private var done: [String: Int] = [:]

    /// - Returns: Whether the hint is safe: in the list, or dropped for a regular sync that is due or began later.
    mutating func owe(_ debt: Debt, _ list: PendingList) -> Bool {
        var debt = debt
        if !HintLedger.isPending(debt, list) {
            guard list.objectsToSync.contains(debt.object) else {
                return done[debt.object].map { $0 > debt.since } ?? false
            }
            debt.isDropped = true
        }
        debts.append(debt)
        return true
    }

    mutating func stepped(_ list: PendingList) {
        guard !list.objectsToSync.isEmpty else { return }
        for index in debts.indices
        where list.objectsToSync.contains(debts[index].object) && !HintLedger.isPending(debts[index], list) {
            debts[index].isDropped = true
        }
    }

    mutating func served(_ record: RecordID, began: Int) {
        debts.removeAll { $0.record == record && $0.since < began }
    }

    mutating func regularSyncBegins(at mark: PendingMark, number: Int) { begun[mark] = number }

    mutating func regularSyncDone(of object: String, began mark: PendingMark) {
        guard let number = begun[mark] else { return }
        done[object] = max(done[object] ?? 0, number)
        debts.removeAll { $0.object == object && $0.since < number && $0.isDropped }
    }

    mutating func forgetAll() {
        debts = []
        done = [:]
    }

    func lost(_ list: PendingList) -> [Debt] {
        debts.filter { debt in
            !HintLedger.isPending(debt, list)
                && !(debt.isDropped && list.objectsToSync.contains(debt.object))
        }
    }

    private static func isPending(_ debt: Debt, _ list: PendingList) -> Bool {
        list.pending(of: debt.object).contains { $0.record == debt.record }
    }
}
