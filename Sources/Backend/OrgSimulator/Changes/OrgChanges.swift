package import PushDispatch
import SelectiveSync

/// The latest changes of the org, in order.
package struct OrgChanges: Hashable, Sendable {
    package static let capacity = 1_000
    /// The number of records, calls and devices in all changes together. The newest change is kept in any case.
    package static let maximumSize = 20_000

    private var changes: [OrgChange] = []
    private var size = 0
    /// The number of the newest change; 0 if there is none.
    package private(set) var lastNumber = 0

    package init() {}

    mutating func begin(at now: ServerDate, by user: RecordID, from source: ChangeSource.Kind) -> OrgChange {
        lastNumber += 1
        return OrgChange(number: lastNumber, at: now, by: user, from: source)
    }

    mutating func add(_ change: OrgChange) {
        changes.append(change)
        size += change.size
        trim()
    }

    /// Nil if the change is not kept any more.
    package subscript(number: Int) -> OrgChange? { index(of: number).map { changes[$0] } }

    package var newest: OrgChange? { changes.last }

    /// The numbers of the kept changes of a record, oldest first.
    package func numbers(of record: RecordID) -> [Int] {
        changes.filter { $0.records.contains { $0.id == record } }.map(\.number)
    }

    mutating func with(_ place: OrgChange.CallPlace?, _ body: (inout OrgChange.Call) -> Void) {
        guard let place, let index = index(of: place.change), changes[index].calls.indices.contains(place.call) else {
            return
        }
        // Only the devices of the call change its size; adding up all calls for each of them would take quadratic time.
        let before = changes[index].calls[place.call].devices.count
        body(&changes[index].calls[place.call])
        size += changes[index].calls[place.call].devices.count - before
        trim()
    }

    /// Stores the gateway's answer. A late answer to a push of before a reset is ignored.
    mutating func answered(_ place: OrgChange.DevicePlace?, _ answer: OrgChange.Answer) {
        guard let place else { return }
        with(place.call) { call in
            guard call.devices.indices.contains(place.device), call.devices[place.device].fate == .sent,
                call.devices[place.device].name == place.name
            else { return }
            call.devices[place.device].answer = answer
        }
    }

    /// The changes after a number were undone: nothing of them is stored, and none of their calls is made.
    mutating func rollBack(after number: Int, because error: OrgError) {
        for index in changes.indices where changes[index].number > number && changes[index].failure == nil {
            size -= changes[index].size
            changes[index].failure = error
            changes[index].calls = []
            changes[index].others = []
            changes[index].uncounted = 0
            size += changes[index].size
        }
    }

    private func index(of number: Int) -> Int? {
        changes.first.map { number - $0.number }.flatMap { changes.indices.contains($0) ? $0 : nil }
    }

    private mutating func trim() {
        var count = 0
        while changes.count - count > 1,
            changes.count - count > OrgChanges.capacity || size > OrgChanges.maximumSize
        {
            size -= changes[count].size
            count += 1
        }
        changes.removeFirst(count)
    }
}
