extension JSONDocument {
    /// Where a node stands, as a JSON pointer (RFC 6901): empty for the whole text, and for a key that of its member.
    /// Of repeated keys every one has the same pointer.
    package func pointer(to index: JSONIndex) -> String {
        var pointer = ""
        var container = 0
        while container != index.position {
            let isObject = nodes[container].kind == .object
            var child = container + 1
            var count = 0
            // In an object the tape alternates keys and values, so a step is a key with its value.
            while true {
                let end = Int(nodes[isObject ? child + 1 : child].following)
                if index.position < end { break }
                child = end
                count += 1
            }
            pointer += "/"
            pointer += isObject ? JSONDocument.escaped(string(of: JSONIndex(position: child)) ?? "") : "\(count)"
            if isObject {
                guard index.position != child else { return pointer }
                child += 1
            }
            container = child
        }
        return pointer
    }

    private static func escaped(_ key: String) -> String {
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return key }
        var escaped = ""
        for scalar in key.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
