/// Arguments of a command, in order. They may be any bytes.
package struct RedisArguments: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// All of them, one after the other.
    private(set) var bytes: [UInt8] = []
    /// Where each ends in `bytes`.
    private(set) var ends: [Int] = []

    package init() {}

    package init(arrayLiteral arguments: [UInt8]...) {
        for argument in arguments { append(argument) }
    }

    package var count: Int { ends.count }

    package mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        ends.append(bytes.count)
    }

    package mutating func append(_ argument: [UInt8]) {
        bytes.append(contentsOf: argument)
        ends.append(bytes.count)
    }

    package mutating func append(_ number: some BinaryInteger) { append(String(number)) }

    package mutating func append(_ arguments: RedisArguments) {
        let start = bytes.count
        bytes.append(contentsOf: arguments.bytes)
        ends.append(contentsOf: arguments.ends.lazy.map { start + $0 })
    }
}
