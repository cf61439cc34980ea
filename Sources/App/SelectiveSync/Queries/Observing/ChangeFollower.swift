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
