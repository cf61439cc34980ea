/// Why a text cannot be read as JSON.
package struct JSONReadError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Problem: Hashable, Sendable {
        case tooManyBytes(limit: Int), tooDeep(limit: Int), tooManyValues(limit: Int)
        /// Not JSON by RFC 8259, or not UTF-8; the string says what is wrong.
        case malformed(String)
    }

    package var problem: Problem
    /// Number of bytes before the place where reading stopped.
    package var offset: Int

    package var description: String {
        switch problem {
        case .tooManyBytes(let limit): "more than \(limit) bytes"
        case .tooDeep(let limit): "more than \(limit) nested arrays and objects"
        case .tooManyValues(let limit): "more than \(limit) values"
        case .malformed(let detail): "not JSON at byte \(offset): \(detail)"
        }
    }
}
