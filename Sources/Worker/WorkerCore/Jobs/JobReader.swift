import APNSModel
package import APNSPayload
package import APNSProvider
package import PushQueue

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One line of a job as the worker read it.
package enum JobLine: Sendable {
    case notification(Submission)
    /// It cannot be sent. `reason` is for programs, `why` for people. Indirect, so that a line of the other kind is one word.
    indirect case bad(reason: String, why: String)
}

/// Reads jobs into notifications, and checks these as `apns send` does.
package struct JobReader: Sendable {
    package static let maximumLines = 100
    /// A job of 100 envelopes with the largest payloads has less.
    package static let maximumBytes = 1_048_576

    private var plainReader: PlainEnvelopeReader
    private var reader = EnvelopeReader()
    private var validator: Validator?
    private let defaults: EnvelopeDefaults
    /// The stream of the last job.
    private var stream: DerivedID.Stream?

    /// - Parameters:
    ///   - defaults: Values for what envelopes leave out, such as the topic of the tenant.
    ///   - validates: Whether a line with a finding of severity error is bad.
    package init(defaults: EnvelopeDefaults, validates: Bool) {
        self.defaults = defaults
        plainReader = PlainEnvelopeReader(defaults: defaults)
        validator = validates ? Validator() : nil
    }

    /// Where the lines of a job are, without their line ends and without blank lines.
    package static func lineRanges(_ body: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        forEachLine(body) { ranges.append($0) }
        return ranges
    }

    static func lineCount(_ body: [UInt8]) -> Int {
        var count = 0
        forEachLine(body) { _ in count += 1 }
        return count
    }

    @inline(__always)
    private static func forEachLine(_ body: [UInt8], _ visit: (Range<Int>) -> Void) {
        body.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count {
                let end = lineEnd(bytes, from: start)
                var (first, last) = (start, end)
                while first < last, bytes[first].isLineSpace { first += 1 }
                while last > first, bytes[last - 1].isLineSpace { last -= 1 }
                if first < last { visit(first..<last) }
                start = end + 1
            }
        }
    }

    private static func lineEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
        else { return bytes.count }
        return UnsafeRawPointer(base).distance(to: found)
    }

    /// Why nothing of a job can be read; nil where its lines can be.
    package static func problem(of job: Job, lines: Int) -> (reason: String, why: String)? {
        if let flaw = job.flaw { return ("bad-entry", flaw) }
        if job.content.body.count > maximumBytes {
            return (
                "job-too-large",
                "the job has \(job.content.body.count) bytes, and \(maximumBytes) are the most; enqueue fewer envelopes in "
                    + "each"
            )
        }
        if lines == 0 { return ("empty-job", "the job has no envelope") }
        if lines > maximumLines {
            return (
                "too-many-envelopes",
                "the job has \(lines) envelopes, and \(maximumLines) are the most; enqueue fewer in each"
            )
        }
        return nil
    }

    /// Appends the lines of a job.
    package mutating func read(_ admitted: WorkerCore.AdmittedJob, into lines: inout [JobLine]) {
        let job = admitted.job
        let context = JobContext(job.content.context)
        let derived = derivedID(job.id)
        var number = 0
        JobReader.forEachLine(job.content.body) { range in
            lines.append(read(job.content.body, range, number: number, id: context.id(of: number, or: derived)))
            number += 1
        }
    }

    private mutating func derivedID(_ job: JobID) -> DerivedID {
        if let stream, stream.name == job.stream { return DerivedID(job.entry, in: stream) }
        let stream = DerivedID.Stream(job.stream)
        self.stream = stream
        return DerivedID(job.entry, in: stream)
    }

    /// - Parameter id: The `apns-id` for an envelope that has none.
    package mutating func read(
        _ body: [UInt8], _ range: Range<Int>, number: Int, id: @autoclosure () -> String
    ) -> JobLine {
        do throws(BadLine) {
            return .notification(try submission(of: notification(in: body, range, number: number), id: id))
        } catch {
            return .bad(reason: error.reason, why: error.why)
        }
    }

    private struct BadLine: Error {
        var reason: String
        var why: String
    }

    private mutating func submission(
        of notification: consuming APNSNotification, id: () -> String
    ) throws(BadLine) -> Submission {
        if notification.priority == nil, notification.pushType == .background {
            notification.priority = .powerConsiderate
        }
        if let finding = validator?.firstError(for: notification) {
            throw BadLine(reason: "invalid-notification", why: "\(finding.message) [\(finding.rule)]")
        }
        if notification.id == nil { notification.id = NotificationID(known: id()) }
        return Submission(consume notification)
    }

    private mutating func notification(
        in body: [UInt8], _ range: Range<Int>, number: Int
    ) throws(BadLine) -> APNSNotification {
        let plain = body.withUnsafeBytes { plainReader.notification(in: UnsafeRawBufferPointer(rebasing: $0[range])) }
        guard let plain else { return try readGenerally(Array(body[range]), number: number) }
        return plain
    }

    private mutating func readGenerally(_ bytes: [UInt8], number: Int) throws(BadLine) -> APNSNotification {
        let envelope = reader.read(SourceText(name: "job", bytes: bytes, firstLine: number + 1)).envelope
        guard envelope.kind == .envelope else {
            throw BadLine(
                reason: "not-an-envelope",
                why: "this is not an envelope: a JSON object with the keys token and payload")
        }
        guard envelope.channelID == nil else {
            throw BadLine(
                reason: "broadcast",
                why: "this goes to a channel; a worker sends to devices, and apns send --batch sends broadcasts")
        }
        do throws(EnvelopeError) {
            return try envelope.notification(defaults: defaults)
        } catch {
            throw BadLine(reason: "bad-envelope", why: error.description)
        }
    }
}

extension UInt8 {
    fileprivate var isLineSpace: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
    }
}
