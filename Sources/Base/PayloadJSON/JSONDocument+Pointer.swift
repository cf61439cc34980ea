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
        for byte in text {
            switch byte {
            case UInt8(ascii: "~"): pointer += "~0".utf8
            case UInt8(ascii: "/"): pointer += "~1".utf8
            default: pointer.append(byte)
            }
        }
    }
}
