import APNSModel
import APNSPayload
import PayloadJSON

@testable import PayloadGuide

/// A conversion as text.
struct Converted {
    let lines: [String]
    /// `kind pointer`
    let notes: [String]
    let texts: String
    let findings: [String]
    /// `offset text`
    let failures: [String]

    init(_ body: String, from format: BodyFormat? = nil, app: String? = nil) throws {
        let converter = BodyConverter(format: format, app: app.flatMap { Topic($0) }, now: 1_800_000_000)
        let conversion = try converter.convert(Array(body.utf8))
        var validator = Validator()
        validator.now = 1_800_000_000
        lines = conversion.envelopes.map { String(decoding: $0.json.bytes, as: UTF8.self) }
        notes = conversion.notes.map { "\($0.kind.rawValue) \($0.pointer)" }
        texts = conversion.notes.map(\.text).joined(separator: "\n")
        failures = conversion.failures.map { "\($0.offset) \($0.description)" }
        findings = conversion.envelopes.flatMap { validator.findings(for: $0) }.map(\.rule)
    }
}
