/// An envelope with the place of everything in the text that it was read from.
public struct SourcedEnvelope: Hashable, Sendable {
    public var envelope: Envelope
    public let source: SourceText
    public let payloadOrigin: PayloadOrigin
    /// The bytes of the source that hold the value of a header, by the header's name.
    public let headerRanges: [String: Range<Int>]
}
