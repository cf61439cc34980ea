/// How many notifications are expected.
package enum ExpectedCount: Hashable, Sendable, CustomStringConvertible {
    case exactly(Int)
    case atLeast(Int)
    case atMost(Int)

    package func isMet(by count: Int) -> Bool {
        switch self {
        case .exactly(let wanted): count == wanted
        case .atLeast(let wanted): count >= wanted
        case .atMost(let wanted): count <= wanted
        }
    }

    /// Whether the limit is exceeded, so that it can no longer be met.
    package func isBroken(by count: Int) -> Bool {
        switch self {
        case .exactly(let wanted), .atMost(let wanted): count > wanted
        case .atLeast: false
        }
    }

    /// Whether a count of 0 meets it, so that waiting for it means watching for the whole time.
    package var isMetByNothing: Bool { isMet(by: 0) }

    package var description: String {
        switch self {
        case .exactly(let wanted): "exactly \(wanted)"
        case .atLeast(let wanted): "at least \(wanted)"
        case .atMost(let wanted): "at most \(wanted)"
        }
    }
}
