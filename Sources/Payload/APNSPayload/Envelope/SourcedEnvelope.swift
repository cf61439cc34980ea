/// An envelope with its source and the places of its parts in the source.
public struct SourcedEnvelope: Hashable, Sendable {
    public var envelope: Envelope
    public let source: SourceText
    public let payloadOrigin: PayloadOrigin
    /// The range in the source of each header's value, by the name of the header.
    public let headerRanges: [String: Range<Int>]
}
