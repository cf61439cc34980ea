import PayloadJSON

/// What is known of the envelopes of a stream with the same headers. Streams have a few kinds of headers; of more than
/// `maximum` the oldest is forgotten.
struct EnvelopeContexts {
    /// Envelopes whose headers have the same findings.
    final class Context {
        // Used by one validator, in one call at a time: no access has to be checked for others.

        /// Has the headers of one of them, and the payloads of all in turn.
        @exclusivity(unchecked) private var notification = InspectedNotification()
        /// The lengths of payloads for which no rule about headers finds anything.
        private var cleanLengths = LengthSet()
        /// The checks that payloads still need.
        @exclusivity(unchecked) private var cache = CheckCache()

        fileprivate let headers: EnvelopeLine.HeaderClass
        fileprivate let topic: [UInt8]?
        fileprivate let pushType: [UInt8]?

        fileprivate init(
            _ envelope: consuming Envelope, _ headers: EnvelopeLine.HeaderClass, topic: [UInt8]?, pushType: [UInt8]?
        ) {
            notification.keepHeaders(of: envelope)
            self.headers = headers
            self.topic = topic
            self.pushType = pushType
        }

        /// Whether an envelope with these headers has no findings.
        ///
        /// - Parameters:
        ///   - line: The document of the envelope.
        ///   - reported: Memory for findings; empty before and after.
        func isClean(
            _ payload: JSONIndex, of line: borrowing JSONDocument, at now: Int64?, headerChecks: CheckTable,
            checks: CheckTable, _ reported: inout Findings
        ) -> Bool {
            notification.now = now
            notification.begin(payload: payload, of: line)
            defer { notification.end() }
            // The number of bytes is all of the payload that rules about headers see.
            let count = notification.envelope.payload.count
            if !cleanLengths.contains(count) {
                guard headerChecks.findsNothing(in: notification, into: &reported) else { return false }
                cleanLengths.insert(count)
            }
            return !checks.run(on: notification, using: &cache, into: &reported) { _, _ in true }
        }

        fileprivate func isOf(_ line: EnvelopeLine.HeaderClass, in text: UnsafeBufferPointer<UInt8>) -> Bool {
            headers.priority == line.priority && headers.expiration == line.expiration
                && headers.hasToken == line.hasToken && headers.hasCollapseID == line.hasCollapseID
                && headers.hasID == line.hasID && EnvelopeLine.isSame(line.pushType, of: text, as: pushType)
                && EnvelopeLine.isSame(line.topic, of: text, as: topic)
        }
    }

    private static let maximum = 32

    private var contexts: [Context] = []
    private var last = 0
    private var oldest = 0
    private var reader = EnvelopeReader()
    /// The values of headers that envelopes do not have.
    private var topic: String?
    private var pushType: String?

    /// The context of an envelope; nil if the general reader reads the envelope in another way.
    ///
    /// - Parameters:
    ///   - topic: The topic of envelopes without one.
    ///   - pushType: The push type of envelopes without one.
    mutating func context(
        of line: EnvelopeLine, in document: borrowing JSONDocument, topic: String?, pushType: String?
    ) -> Context? {
        if topic != self.topic || pushType != self.pushType {
            contexts.removeAll()
            self.topic = topic
            self.pushType = pushType
        }
        let found = document.bytes.withUnsafeBufferPointer { text -> Int? in
            if last < contexts.count, contexts[last].isOf(line.headers, in: text) { return last }
            return contexts.firstIndex { $0.isOf(line.headers, in: text) }
        }
        if let found {
            last = found
            return contexts[found]
        }
        return make(line, document)
    }

    private mutating func make(_ line: EnvelopeLine, _ document: borrowing JSONDocument) -> Context? {
        var envelope = reader.read(SourceText(name: "", bytes: document.bytes)).envelope
        guard envelope.kind == .envelope, envelope.problems.isEmpty else { return nil }
        envelope.topic = envelope.topic ?? topic
        envelope.pushType = envelope.pushType ?? pushType
        envelope.payload = []
        let context = Context(
            envelope, line.headers, topic: line.headers.topic.map { Array(document.bytes[$0]) },
            pushType: line.headers.pushType.map { Array(document.bytes[$0]) })
        if contexts.count < EnvelopeContexts.maximum {
            last = contexts.count
            contexts.append(context)
        } else {
            last = oldest
            contexts[oldest] = context
            oldest = (oldest + 1) % EnvelopeContexts.maximum
        }
        return context
    }
}

/// Lengths of payloads, up to the largest that APNs accepts.
struct LengthSet {
    private static let largest = 5120
    private var words: [UInt64] = []

    func contains(_ length: Int) -> Bool {
        length >> 6 < words.count && words[length >> 6] >> UInt64(length & 63) & 1 == 1
    }

    mutating func insert(_ length: Int) {
        guard length <= LengthSet.largest else { return }
        if words.isEmpty { words = [UInt64](repeating: 0, count: LengthSet.largest / 64 + 1) }
        words[length >> 6] |= 1 << UInt64(length & 63)
    }
}
