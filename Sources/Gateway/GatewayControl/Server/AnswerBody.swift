import APNSTransport
import GatewayJSON
import GatewayRuntime
import Hummingbird
import NIOCore
import Synchronization

/// The bytes of an answer, which are written as fast as its client reads. A large one counts as memory of the gateway until
/// then: there may be thousands of clients that do not read.
final class AnswerBody: Sendable {
    /// The channel has no more than about so many bytes to send.
    private static let partBytes = 32 << 10

    private let bytes: Mutex<[UInt8]>
    private let memory: BodyMemory

    /// - Parameter budget: Nil where memory is not limited.
    /// - Throws: `tooManyBodies` where there is no memory for it.
    init(_ bytes: [UInt8], in budget: MemoryBudget?) throws(Problem) {
        self.bytes = Mutex(bytes)
        memory = BodyMemory(in: budget, small: BodyMemory.smallAnswer)
        do throws(BodyMemory.Full) {
            try memory.grow(to: bytes.count)
        } catch {
            throw .tooManyBodies
        }
    }

    /// A whole answer.
    static func whole(
        _ bytes: [UInt8], in budget: MemoryBudget?, on eventLoop: any EventLoop
    ) throws(Problem) -> ResponseBody {
        guard bytes.count > BodyMemory.smallAnswer else {
            return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        }
        let body = try AnswerBody(bytes, in: budget)
        return ResponseBody(contentLength: bytes.count) { writer in
            var output = writer
            try await body.write(to: &output, on: eventLoop)
            try await output.finish(nil)
        }
    }

    /// Writes the bytes, once, and waits whenever the client does not read.
    ///
    /// - Parameter eventLoop: That of the connection. A write that comes from elsewhere does not wait, since the event loop
    ///   sees only later that the channel is full.
    func write(to output: inout any ResponseBodyWriter, on eventLoop: any EventLoop) async throws {
        defer { memory.release() }
        let bytes = self.bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
        let executor = EventLoopExecutor(eventLoop)
        try await withTaskExecutorPreference(executor) {
            for start in stride(from: 0, to: bytes.count, by: AnswerBody.partBytes) {
                // A copy: a slice that waits in the channel would keep the memory of all bytes.
                let part = ByteBuffer(bytes: bytes[start..<min(bytes.count, start + AnswerBody.partBytes)])
                try await output.write(part)
            }
        }
    }
}
