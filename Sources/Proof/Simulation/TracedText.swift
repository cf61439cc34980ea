import PushDispatch
import SelectiveSync

/// Texts for a trace. The order of a dictionary differs from one run to the next, and a trace must not.
extension UploadOutcome {
    var traced: String {
        guard case .clean(let id, let date, let version?) = self else { return "\(self)" }
        return "\(UploadOutcome.clean(id: id, date)), version \(version.fields.traced)"
    }
}

extension ConflictResolution {
    var traced: String {
        guard case .fields(let values) = self else { return "\(self)" }
        return "fields \(values.traced)"
    }
}

extension [String: JSONValue] {
    fileprivate var traced: String { String(decoding: JSONValue.object(self).canonicalBytes, as: UTF8.self) }
}
