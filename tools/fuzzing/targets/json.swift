import APNSPayload
import PayloadJSON

// A line of a stream: the JSON reader, the rules, and both ways of checking a line.

nonisolated(unsafe) private var validator = Validator()
nonisolated(unsafe) private var thorough = Validator(rules: Rule.all, prunes: false)

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = UnsafeRawBufferPointer(start: start, count: count)
    let bytes = Array(text)
    do throws(JSONSyntaxError) {
        _ = try JSONDocument(bytes)
    } catch {
        precondition((0...count).contains(error.offset), "the place of an error is outside of the text")
    }
    guard let found = validator.findings(forLine: text) else { return 0 }
    var reader = EnvelopeReader()
    let sourced = reader.read(SourceText(name: "line.ndjson", bytes: bytes))
    let wanted = thorough.findings(for: sourced.envelope)
    precondition(found == wanted, "the quick way finds \(found), the general one \(wanted)")
    return 0
}
