/// A Lua script that the server runs in one step.
package struct RedisScript: Hashable, Sendable {
    package let source: String

    package init(_ source: String) { self.source = source }
}

/// The arguments of a script, in order.
package typealias RedisArguments = [[UInt8]]

extension RedisCommand {
    /// Appends each argument.
    package mutating func append(_ arguments: RedisArguments) {
        for argument in arguments { append(argument) }
    }
}
