/// Scheduled events and the virtual time. Time stands still while code runs and then jumps to the next event.
///
/// @unchecked: only the thread of the simulation uses it.
final class Timeline: @unchecked Sendable {
    struct ID: Hashable, Sendable { fileprivate let number: Int }

    private struct Entry {
        let at: Int64
        let id: ID
        let action: () -> Void
    }

    /// Milliseconds since the start of the simulation.
    private(set) var now: Int64 = 0
    /// The next event is the last element.
    private var entries: [Entry] = []
    private var lastNumber = 0

    /// Schedules an event. Events at the same time run in the order in which they were added.
    @discardableResult
    func at(_ moment: Int64, _ action: @escaping () -> Void) -> ID {
        lastNumber += 1
        let entry = Entry(at: max(moment, now), id: ID(number: lastNumber), action: action)
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].at > entry.at { low = middle + 1 } else { high = middle }
        }
        entries.insert(entry, at: low)
        return entry.id
    }

    @discardableResult
    func after(_ milliseconds: Int64, _ action: @escaping () -> Void) -> ID { at(now + milliseconds, action) }

    func cancel(_ id: ID) { entries.removeAll { $0.id == id } }

    var next: Int64? { entries.last?.at }

    func runNext() {
        guard let entry = entries.popLast() else { return }
        now = entry.at
        entry.action()
    }

    /// Moves the time to `moment`; no event may be due before it.
    func wait(until moment: Int64) { now = max(now, moment) }

    func removeAll() { entries.removeAll() }
}
