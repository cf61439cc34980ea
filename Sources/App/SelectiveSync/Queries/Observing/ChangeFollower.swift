/// A value that follows the changes of a store.
package protocol ChangeFollower: Sendable {
    /// What the store reads.
    associatedtype Answer: Sendable
    /// What is delivered.
    associatedtype Value: Sendable

    /// The store has read.
    mutating func load(_ answer: Answer) -> FollowerStep<Value>

    /// Records have changed since the last answer.
    mutating func take(_ versions: [RecordVersion]) -> FollowerStep<Value>
}

package enum FollowerStep<Value> {
    case nothing
    case changed(Value)
    /// The store has to read again, and pass its answer to `load`.
    case fetch
}

/// A value that is read again after each change, for few records or in tests.
struct ReadAgain<Value: Sendable & Equatable>: ChangeFollower {
    private var last: Value?

    init() {}

    mutating func load(_ answer: Value) -> FollowerStep<Value> {
        defer { last = answer }
        return answer == last ? .nothing : .changed(answer)
    }

    func take(_ versions: [RecordVersion]) -> FollowerStep<Value> { .fetch }
}
