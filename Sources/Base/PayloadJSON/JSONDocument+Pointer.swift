extension JSONDocument {
    /// The JSON pointer of a node (RFC 6901), which is empty for the outermost value. A key has the pointer of its value,
    /// and repeated keys have the same pointer.
    package func pointer(to index: JSONIndex) -> String {
        var pointer: [UInt8] = []
        pointer.reserveCapacity(64)
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
            pointer.append(UInt8(ascii: "/"))
            if isObject {
                appendKey(nodes[child], to: &pointer)
                guard index.position != child else { break }
                child += 1
            } else {
                pointer += "\(count)".utf8
            }
            container = child
        }
        return String(decoding: pointer, as: UTF8.self)
    }

    private func appendKey(_ key: JSONNode, to pointer: inout [UInt8]) {
        let text = key.hasEscapes ? textBytes(of: key)[...] : plainBytes(of: key)
        for byte in text { JSONPointer.append(byte, to: &pointer) }
    }
}

/// The steps of JSON pointers (RFC 6901).
package enum JSONPointer {
    /// A key as a step of a pointer.
    package static func escaped(_ key: String) -> String {
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return key }
        var bytes: [UInt8] = []
        for byte in key.utf8 { append(byte, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    fileprivate static func append(_ byte: UInt8, to pointer: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "~"): pointer += "~0".utf8
        case UInt8(ascii: "/"): pointer += "~1".utf8
        default: pointer.append(byte)
        }
    }
}
