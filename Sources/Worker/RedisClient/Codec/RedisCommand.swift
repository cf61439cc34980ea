internal import CHiredis
package import NIOCore

/// A command with its arguments, which may be any bytes.
package struct RedisCommand: Hashable, Sendable {
    private var arguments = RedisArguments()

    package init(_ arguments: String...) {
        for argument in arguments { append(argument) }
    }

    /// The number of bytes of all arguments.
    package var byteCount: Int { arguments.bytes.count }

    package mutating func append(_ text: String) { arguments.append(text) }

    package mutating func append(_ argument: [UInt8]) { arguments.append(argument) }

    package mutating func append(_ number: some BinaryInteger) { arguments.append(number) }

    /// Appends each argument.
    package mutating func append(_ arguments: RedisArguments) { self.arguments.append(arguments) }

    /// The first argument, for messages. The others may hold secrets.
    package var name: String { String(decoding: arguments.bytes[..<(arguments.ends.first ?? 0)], as: UTF8.self) }

    /// Appends the command as it goes over the wire.
    package func write(into buffer: inout ByteBuffer) {
        let (bytes, ends) = (arguments.bytes, arguments.ends)
        precondition(!ends.isEmpty, "a command has a name")
        var wire: UnsafeMutablePointer<CChar>?
        let count = bytes.withUnsafeBufferPointer { all in
            // An empty array may have no address.
            let start = UnsafeRawPointer(all.baseAddress ?? UnsafePointer(bitPattern: 1)!)
                .assumingMemoryBound(to: CChar.self)
            return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: ends.count) { starts in
                withUnsafeTemporaryAllocation(of: Int.self, capacity: ends.count) { counts in
                    var begin = 0
                    for (index, end) in ends.enumerated() {
                        starts[index] = start + begin
                        counts[index] = end - begin
                        begin = end
                    }
                    return redisFormatCommandArgv(
                        &wire, Int32(ends.count), starts.baseAddress, counts.baseAddress)
                }
            }
        }
        guard count >= 0, let wire else { fatalError("no memory for a command of \(bytes.count) bytes") }
        buffer.writeBytes(UnsafeRawBufferPointer(start: wire, count: Int(count)))
        redisFreeCommand(wire)
    }
}
