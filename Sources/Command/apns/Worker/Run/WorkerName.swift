import PushQueue

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The name of a worker that was given none.
enum WorkerName {
    /// Host, process and a random part: containers may share the first two.
    static func random() throws(CommandError) -> ConsumerName {
        var buffer = [CChar](repeating: 0, count: 256)
        _ = gethostname(&buffer, buffer.count - 1)
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.filter { (0x21...0x7E).contains($0) }
        let host = String(decoding: bytes.prefix(60), as: UTF8.self)
        let part = String(UInt32.random(in: .min ... .max), radix: 16)
        guard let name = ConsumerName("\(host.isEmpty ? "worker" : host)-\(getpid())-\(part)") else {
            throw CommandError("the host's name cannot be part of a name; give --name")
        }
        return name
    }
}
