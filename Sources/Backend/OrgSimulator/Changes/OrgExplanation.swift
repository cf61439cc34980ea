import PushDispatch
import ServiceHost

/// A change as `apns org explain` shows it: whole, or as far as it concerns one record.
package struct OrgExplanation: Sendable {
    package let change: OrgChange
    /// The numbers of other changes of the record that the org still knows, oldest first; empty without a record.
    package let otherChanges: [Int]
    /// The names of users.
    let names: [RecordID: String]

    /// The largest number of notifications about which the gateway is asked for one explanation.
    package static let maximumQuestions = 100

    /// - Parameters:
    ///   - record: Leaves out other records and the push calls without this record; nil leaves out nothing.
    ///   - number: Nil takes the newest change, of the record if there is one.
    init(_ org: Org, record: RecordID?, number: Int?) throws(ControlProblem) {
        let numbers = record.map { org.changes.numbers(of: $0) }
        guard var change = number.map({ org.changes[$0] }) ?? OrgExplanation.newest(numbers, org.changes) else {
            throw ControlProblem(404, OrgExplanation.missing(record, number, org.changes.lastNumber))
        }
        if let record {
            guard let numbers, numbers.contains(change.number) else {
                throw ControlProblem(
                    404, "change \(change.number) did not change \(record); \(OrgExplanation.list(numbers ?? []))")
            }
            change.records.removeAll { $0.id != record }
            change.calls.removeAll { !$0.records.contains(record) }
            let object = change.records.first?.object
            change.triggers.removeAll { $0.object != object }
        }
        let targets = Set(change.calls.map(\.user))
        change.others.removeAll { change.calls.isEmpty || targets.contains($0.user) }
        if change.calls.isEmpty { change.uncounted = 0 }
        self.change = change
        otherChanges = numbers?.filter { $0 != change.number } ?? []
        names = org.users.mapValues(\.name)
    }

    private static func newest(_ numbers: [Int]?, _ changes: OrgChanges) -> OrgChange? {
        guard let numbers else { return changes.newest }
        return numbers.last.flatMap { changes[$0] }
    }

    private static func missing(_ record: RecordID?, _ number: Int?, _ last: Int) -> String {
        if let number {
            return "there is no change \(number): the newest is \(last), and the org keeps the last "
                + "\(OrgChanges.capacity) at most"
        }
        guard let record else { return "nothing was changed yet; creating and deleting a record fires no trigger" }
        return "the org knows no change of \(record); creating and deleting a record fires no trigger"
    }

    private static func list(_ numbers: [Int]) -> String {
        numbers.isEmpty
            ? "the org knows no change of it" : "these did: \(numbers.map { "\($0)" }.joined(separator: ", "))"
    }

    /// The questions to the gateway, for each device that got a push, in order.
    package var questions: [OrgDelivery.Question] {
        Array(
            change.calls.flatMap(\.devices).compactMap { $0.answer?.question }
                .prefix(OrgExplanation.maximumQuestions))
    }
}

extension OrgChange.Answer {
    /// Nil if the gateway cannot be asked about it.
    var question: OrgDelivery.Question? {
        switch status {
        case 200: uniqueID.map { .life(uniqueID: $0) }
        case nil: nil
        default: apnsID.map { .refusal(apnsID: $0) }
        }
    }
}
