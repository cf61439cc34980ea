/// An envelope with its source and the places of its parts in the source.
public struct SourcedEnvelope: Hashable, Sendable {
    public var envelope: Envelope
    public let source: SourceText
    public let payloadOrigin: PayloadOrigin
    /// The range in the source of each header's value, by the name of the header.
    public let headerRanges: [String: Range<Int>]
    /// Where the values of headers come from that are not in the source, by the name of the header: the name of an option,
    /// such as `--topic`.
    public var headerOptions: [String: String] = [:]

    init(
        envelope: Envelope, source: SourceText, payloadOrigin: PayloadOrigin, headerRanges: [String: Range<Int>]
    ) {
        self.envelope = envelope
        self.source = source
        self.payloadOrigin = payloadOrigin
        self.headerRanges = headerRanges
    }

    /// The JSON pointer of the payload in the source.
    var payloadPointer: String {
        envelope.kind != .envelope ? "" : payloadOrigin.isEncoded ? "/payload-base64" : "/payload"
    }
}
