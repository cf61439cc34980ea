import APNSModel
import APNSPayload

// Files with a payload, an envelope or a simulator file: reading, checking, places, reports and fixes.

nonisolated(unsafe) private var reader = EnvelopeReader()
nonisolated(unsafe) private var validator = Validator()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEnvelopes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = UnsafeRawBufferPointer(start: start, count: count)
    let source = SourceText(name: count.isMultiple(of: 3) ? "push.apns" : "push.json", bytes: Array(text))
    let sourced = reader.read(source)
    let located = LocatedFinding.locate(validator.findings(for: sourced.envelope), in: sourced)
    for finding in located {
        precondition(finding.range.upperBound <= count, "a finding is outside of the file")
        precondition(finding.line >= 1 && finding.column >= 1, "a place is not counted from 1")
    }
    var reporters: [any FindingReporter] = [TextReporter(), JSONReporter(), GitHubReporter(), JUnitReporter()]
    for index in reporters.indices { _ = reporters[index].report(located, in: source) }
    // The quick reader may refuse, and must agree where it does not: for an envelope, and for the next one, which differs in one
    // hexadecimal digit. A simulator file is no envelope.
    guard !source.isSimulatorFile else { return 0 }
    var plain = PlainEnvelopeReader(defaults: EnvelopeDefaults())
    var next = source.bytes
    let digits = next.indices.filter { Character(UnicodeScalar(next[$0])).isHexDigit }
    if !digits.isEmpty { next[digits[count * 7 % digits.count]] ^= 1 }
    for bytes in [source.bytes, next] {
        guard let quick = bytes.withUnsafeBytes({ plain.notification(in: $0) }) else { continue }
        let general = try? reader.read(SourceText(name: source.name, bytes: bytes)).envelope.notification()
        precondition(quick == general, "two readers of envelopes disagree")
    }
    return 0
}
