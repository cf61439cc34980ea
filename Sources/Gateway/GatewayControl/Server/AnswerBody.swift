import APNSTransport
import GatewayJSON
import GatewayRuntime
import Hummingbird
import NIOCore
import Synchronization

/// The bytes of an answer, which are written as fast as its client reads. A large one counts as memory of the gateway until
/// then: there may be thousands of clients that do not read. A client that takes longer than `ReadingTime` allows is
/// disconnected.
final class AnswerBody: Sendable {
    /// The channel has no more than about so many bytes to send.
    private static let partBytes = 32 << 10

    private let bytes: Mutex<[UInt8]>
    private let memory: BodyMemory
    private let limit: TimeAmount

    /// - Parameters:
    ///   - budget: Nil where memory is not limited.
    ///   - time: How long its client may take.
    /// - Throws: `tooManyBodies` where there is no memory for it.
    init(_ bytes: [UInt8], in budget: MemoryBudget?, _ time: ReadingTime) throws(Problem) {
        self.bytes = Mutex(bytes)
        limit = time.limit(forBytes: bytes.count)
        memory = BodyMemory(in: budget, small: BodyMemory.smallAnswer)
        do throws(BodyMemory.Full) {
            try memory.grow(to: bytes.count)
        } catch {
            throw .tooManyBodies
        }
    }

    /// A whole answer.
    static func whole(
        _ bytes: [UInt8], in budget: MemoryBudget?, _ time: ReadingTime, to channel: any Channel
    ) throws(Problem) -> ResponseBody {
        guard bytes.count > BodyMemory.smallAnswer else {
            return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        }
        let body = try AnswerBody(bytes, in: budget, time)
        return ResponseBody(contentLength: bytes.count) { writer in
            var output = writer
            try await body.write(to: &output, of: channel)
            try await output.finish(nil)
        }
    }

    /// Writes the bytes, once, and waits whenever the client does not read.
    ///
    /// It writes on the event loop of the channel. A write that comes from elsewhere does not wait, since the event loop sees
    /// only later that the channel is full.
    func write(to output: inout any ResponseBodyWriter, of channel: any Channel) async throws {
        let end = channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        defer {
            end.cancel()
            memory.release()
        }
        let bytes = self.bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
        let executor = EventLoopExecutor(channel.eventLoop)
        try await withTaskExecutorPreference(executor) {
            for start in stride(from: 0, to: bytes.count, by: AnswerBody.partBytes) {
                // A copy: a slice that waits in the channel would keep the memory of all bytes.
                let part = ByteBuffer(bytes: bytes[start..<min(bytes.count, start + AnswerBody.partBytes)])
                try await output.write(part)
            }
        }
    }
}
