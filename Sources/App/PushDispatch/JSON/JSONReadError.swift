/// Why a text is not the JSON that was asked for.
package struct JSONReadError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Problem: Hashable, Sendable {
        case tooManyBytes(limit: Int), tooDeep(limit: Int), tooManyValues(limit: Int)
        /// Not JSON by RFC 8259, or not UTF-8; the text says what was wanted.
        case malformed(String)
    }

    package var problem: Problem
    /// Bytes before the place where reading stopped.
    package var offset: Int

    package var description: String {
        switch problem {
        case .tooManyBytes(let limit): "more than \(limit) bytes"
        case .tooDeep(let limit): "more than \(limit) arrays and objects inside one another"
        case .tooManyValues(let limit): "more than \(limit) values"
        case .malformed(let wanted): "not JSON at byte \(offset): \(wanted)"
        }
    }
}
