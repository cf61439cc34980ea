import APNSModel
import PayloadJSON

/// Reads notifications from payload files, simulator files and envelopes.
///
/// It never fails. Text that is not JSON is read as a bare payload, and a header with a value of the wrong type keeps
/// the text of that value, so that the validator and the conversion to a notification can report the problem.
public struct EnvelopeReader: Sendable {
    private var reader = JSONReader()

    /// The key of a file for `simctl push` that names the app. It is not part of the payload.
    public static let simulatorKey = "Simulator Target Bundle"

    public init() {}

    /// All notifications of a file: one for each line of a `.ndjson` or `.jsonl` file, otherwise one.
    public mutating func readAll(_ source: SourceText) -> [SourcedEnvelope] {
        guard source.isLines else { return [read(source)] }
        return source.lines.map { read($0) }
    }

    /// The one notification of a text.
    ///
    /// An envelope is an object with the key `payload` or `payload-base64` and without the key `aps`, in a file without
    /// the name ending `.apns`. Its payload is sent, and so counted, in compact form, or as exactly the bytes in
    /// `payload-base64`, which may be anything. A bare payload is sent unchanged, with the white space of its file. A
    /// simulator file has the name ending `.apns` or the member `simulatorKey`, which is removed.
    public mutating func read(_ source: SourceText) -> SourcedEnvelope {
        do throws(JSONSyntaxError) {
            try reader.parse(source.bytes)
        } catch {
            let kind: Envelope.Kind = source.isSimulatorFile ? .apns : .payload
            return bare(Envelope(kind: kind, payload: source.bytes), source)
        }
        let document = reader.document
        let payload = document.member("payload", of: .root)
        if !source.isSimulatorFile, payload != nil || document.member("payload-base64", of: .root) != nil,
            document.member("aps", of: .root) == nil
        {
            return envelope(document, payload: payload, source) ?? undecodable(document, source)
        }
        let target = document.member(named: EnvelopeReader.simulatorKey, of: .root)
        guard target != nil || source.isSimulatorFile else {
            return bare(Envelope(kind: .payload, payload: source.bytes), source)
        }
        return simulatorFile(document, target: target, source)
    }

    private func bare(
        _ envelope: Envelope, _ source: SourceText, ranges: [String: Range<Int>] = [:]
    ) -> SourcedEnvelope {
        SourcedEnvelope(
            envelope: envelope, source: source, payloadOrigin: PayloadOrigin(start: 0), headerRanges: ranges)
    }

    /// An object whose `payload-base64` is not base64, as a bare payload with this problem.
    private func undecodable(_ document: borrowing JSONDocument, _ source: SourceText) -> SourcedEnvelope {
        let key = "payload-base64"
        let envelope = Envelope(
            kind: .payload, problems: [EnvelopeProblem(key: key, .notBase64)], payload: source.bytes)
        guard let value = document.member(named: key, of: .root) else { return bare(envelope, source) }
        return bare(envelope, source, ranges: [key: document.range(of: value)])
    }

    /// - Returns: Nil if `payload-base64` is not base64.
    private func envelope(
        _ document: JSONDocument, payload: JSONIndex?, _ source: SourceText
    ) -> SourcedEnvelope? {
        let headers = EnvelopeHeaders(document)
        var problems = headers.problems
        var ranges = headers.ranges
        let bytes: [UInt8]
        let origin: PayloadOrigin
        if let exact = headers.exactPayload {
            guard let text = document.string(of: exact), let decoded = try? Base64.decode(text.utf8, as: .padded)
            else { return nil }
            (bytes, origin) = (decoded, PayloadOrigin(encodedAt: document.range(of: exact)))
            if let payload {
                let other = CompactJSON.compact(source.bytes, in: document.range(of: payload)).bytes
                // A record of a gateway has the same payload twice: as JSON, and as it was sent.
                if other != CompactJSON.compact(decoded, in: decoded.indices).bytes {
                    problems.append(EnvelopeProblem(key: "payload", .otherPayload))
                    ranges["payload"] = document.range(of: document.key(of: payload))
                }
            }
        } else if let payload {
            let range = document.range(of: payload)
            let (compact, omitted) = CompactJSON.compact(source.bytes, in: range)
            (bytes, origin) = (compact, PayloadOrigin(start: range.lowerBound, omitting: omitted))
        } else {
            return nil
        }
        var envelope = Envelope(
            kind: .envelope, token: headers[.token], topic: headers[.topic],
            pushType: headers[.pushType], priority: headers[.priority],
            expiration: headers[.expiration], collapseID: headers[.collapseID], apnsID: headers[.apnsID],
            channelID: headers[.channelID], problems: problems, payload: bytes)
        envelope.isIDOfRequest = headers.usesRequestID
        envelope.nullHeaders = headers.nullHeaders
        return SourcedEnvelope(
            envelope: envelope, source: source,
            payloadOrigin: origin, headerRanges: ranges)
    }

    private func simulatorFile(
        _ document: JSONDocument, target: JSONIndex?, _ source: SourceText
    ) -> SourcedEnvelope {
        let omitted = document.omissions(ofMember: EnvelopeReader.simulatorKey)
        let envelope = Envelope(
            kind: .apns, topic: target.flatMap { document.string(of: $0) },
            problems: EnvelopeProblem.ofTarget(target, in: document),
            payload: CompactJSON.bytes(source.bytes, in: 0..<source.bytes.count, omitting: omitted))
        var ranges = target.map { ["apns-topic": document.range(of: $0)] } ?? [:]
        for problem in envelope.problems where problem.kind == .misspeltTarget || problem.kind == .repeatedKey {
            guard let value = document.member(named: problem.key, of: .root) else { continue }
            ranges[problem.key] = document.range(of: document.key(of: value))
        }
        return SourcedEnvelope(
            envelope: envelope, source: source, payloadOrigin: PayloadOrigin(start: 0, omitting: omitted),
            headerRanges: ranges)
    }
}

extension JSONDocument {
    /// The ranges to remove from the text so that its root has no member `key`, including the commas.
    fileprivate func omissions(ofMember key: String) -> [Range<Int>] {
        let members = Array(members(of: .root))
        var cuts: [Range<Int>] = []
        var endOfLastKept: Int?
        for (position, member) in members.enumerated() {
            let end = range(of: member.value).upperBound
            guard string(of: member.key) == key else {
                endOfLastKept = end
                continue
            }
            if position + 1 < members.count {
                cuts.append(range(of: member.key).lowerBound..<range(of: members[position + 1].key).lowerBound)
            } else {
                let start = endOfLastKept ?? range(of: members[0].key).lowerBound
                cuts.removeAll { $0.lowerBound >= start }
                cuts.append(start..<end)
            }
        }
        return cuts
    }
}
