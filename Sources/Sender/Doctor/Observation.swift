/// What a probe saw, or why it saw nothing. A check can only pass on what was seen.
package enum Observation<Value: Sendable>: Sendable {
    case seen(Value)
    /// - Parameter why: A sentence; it is the message of the checks that need this.
    case unseen(_ why: String)
    /// The probe itself failed, by a fault of this program or of the system.
    case broken(_ why: String)

    package func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Observation<Other> {
        try flatMap { .seen(try transform($0)) }
    }

    package func flatMap<Other>(_ transform: (Value) throws -> Observation<Other>) rethrows -> Observation<Other> {
        switch self {
        case .seen(let value): try transform(value)
        case .unseen(let why): .unseen(why)
        case .broken(let why): .broken(why)
        }
    }

    /// Both, where both were seen; otherwise why the first that was not seen was not.
    package func and<Other>(_ other: Observation<Other>) -> Observation<(Value, Other)> {
        flatMap { value in other.map { (value, $0) } }
    }

    package var value: Value? {
        if case .seen(let value) = self { value } else { nil }
    }
}

extension Optional where Wrapped: Sendable {
    /// - Parameter why: Why it was not seen where it is nil.
    package func seen(or why: @autoclosure () -> String) -> Observation<Wrapped> {
        map { .seen($0) } ?? .unseen(why())
    }
}

extension Observation: Equatable where Value: Equatable {}
