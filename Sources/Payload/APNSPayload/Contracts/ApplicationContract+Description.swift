extension ApplicationContract: CustomStringConvertible {
    /// The contract in one sentence without full stop.
    public var description: String {
        var parts = keys.map { key in
            "\(key.shownName) is \(key.value)\(key.isRequired ? "" : " and is optional")"
        }
        if !allowsOtherKeys { parts.append("there are no other keys") }
        parts += forbiddenKeys.map {
            "\(ContractKey($0.name).shownName) must not be present\($0.reason.map { ": \($0)" } ?? "")"
        }
        if visibility != .any { parts.append("it is \(visibility.rawValue)") }
        if let maximumBytes { parts.append("it has at most \(maximumBytes) bytes") }
        let subject =
            switch match {
            case .everything: "every payload"
            case .key(let key): "payloads with \(ContractKey(key).shownName)"
            case .value(let value, ofKey: let key): "payloads whose \(ContractKey(key).shownName) is \"\(value)\""
            }
        return "The contract \(name) applies to \(subject)"
            + (parts.isEmpty ? "" : ": \(parts.joined(separator: "; "))")
    }
}
