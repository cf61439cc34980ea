extension JSONDocument {
    @inlinable @inline(__always)
    package func kind(of index: JSONIndex) -> JSONKind { nodes[index.position].kind }

    @inlinable @inline(__always)
    package func isObject(_ index: JSONIndex) -> Bool { nodes[index.position].kind == .object }

    /// The bytes of a key or value in the source, with the quotes of a string and the brackets of a container.
    @inlinable @inline(__always)
    package func range(of index: JSONIndex) -> Range<Int> {
        let node = nodes[index.position]
        return Int(node.start)..<Int(node.end)
    }

    /// The bytes of a string between its quotes. Nil for any other value, and for a string with escapes, which must be
    /// decoded.
    package func plainRange(of index: JSONIndex) -> Range<Int>? {
        let node = nodes[index.position]
        guard node.kind == .string, !node.hasEscapes else { return nil }
        return Int(node.start) + 1..<Int(node.end) - 1
    }

    /// One key of an object with its value.
    package struct Member: Hashable, Sendable {
        package let key: JSONIndex
        package let value: JSONIndex
    }

    /// The members of an object in the order of the source, repeated keys included; none for any other value.
    package func members(of object: JSONIndex) -> Members {
        let node = nodes[object.position]
        guard node.kind == .object else { return Members(document: self, position: 0, end: 0) }
        return Members(document: self, position: object.position + 1, end: Int(node.following))
    }

    /// The elements of an array; none for any other value.
    package func elements(of array: JSONIndex) -> Elements {
        let node = nodes[array.position]
        guard node.kind == .array else { return Elements(document: self, position: 0, end: 0) }
        return Elements(document: self, position: array.position + 1, end: Int(node.following))
    }

    /// The value of `key` in an object, the last one of a repeated key, as in most readers. Nil for any other value.
    package func member(_ key: StaticString, of object: JSONIndex) -> JSONIndex? {
        member(UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount), of: object)?.value
    }

    /// The same with a key that is known only at run time.
    package func member(named key: String, of object: JSONIndex) -> JSONIndex? {
        var key = key
        return key.withUTF8 { member($0, of: object)?.value }
    }

    private func member(_ key: UnsafeBufferPointer<UInt8>, of object: JSONIndex) -> Member? {
        let node = nodes[object.position]
        guard node.kind == .object else { return nil }
        var found: Member?
        var position = object.position + 1
        while position < Int(node.following) {
            if isText(nodes[position], equalTo: key) {
                found = Member(key: JSONIndex(position: position), value: JSONIndex(position: position + 1))
            }
            position = Int(nodes[position + 1].following)
        }
        return found
    }

    /// The key of a member.
    ///
    /// - Parameter value: The value of a member, as returned by `member` or `members`.
    package func key(of value: JSONIndex) -> JSONIndex { JSONIndex(position: value.position - 1) }

    /// Each occurrence of a key after its first, in the order of the source.
    package func repeatedKeys(of object: JSONIndex) -> [JSONIndex] {
        var seen: Set<[UInt8]> = []
        return members(of: object).map(\.key).filter { !seen.insert(textBytes(of: nodes[$0.position])).inserted }
    }

    /// Whether a key or string value may begin with `character`. It surely does not where this is false.
    package func mayBegin(_ index: JSONIndex, with character: UInt8) -> Bool {
        let first = bytes[Int(nodes[index.position].start) + 1]
        return first == character || first == UInt8(ascii: "\\")
    }

    /// Whether a key or string value may contain this ASCII character. It surely does not where this is false.
    package func mayContain(_ index: JSONIndex, _ character: UInt8) -> Bool {
        let node = nodes[index.position]
        return node.hasEscapes
            || bytes.withUnsafeBufferPointer { $0[Int(node.start) + 1..<Int(node.end) - 1].contains(character) }
    }

    /// Whether a key or string value is exactly this string. Escapes are decoded before the comparison.
    package func isString(_ index: JSONIndex, _ text: StaticString) -> Bool {
        let node = nodes[index.position]
        return node.kind == .string
            && isText(node, equalTo: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// The same with a text that is known only at run time.
    package func isString(_ index: JSONIndex, equalTo text: String) -> Bool {
        let node = nodes[index.position]
        guard node.kind == .string else { return false }
        // Most are of another length, and that needs no pointer to the text.
        guard node.hasEscapes || Int(node.end - node.start) == text.utf8.count + 2 else { return false }
        var text = text
        return text.withUTF8 { isText(node, equalTo: $0) }
    }

    private func isText(_ node: JSONNode, equalTo text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !node.hasEscapes else { return textBytes(of: node).elementsEqual(text) }
        guard Int(node.end - node.start) == text.count + 2 else { return false }
        return bytes.withUnsafeBytes { bytes in
            JSONDocument.isSame(
                UnsafeRawBufferPointer(rebasing: bytes[(Int(node.start) + 1)...]), UnsafeRawBufferPointer(text))
        }
    }

    /// Whether a text begins with another one that is not longer, eight bytes at a time.
    @inline(__always)
    private static func isSame(_ text: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        let count = other.count
        guard count >= 8 else {
            for place in 0..<count where text[place] != other[place] { return false }
            return true
        }
        func isSame(at place: Int) -> Bool {
            text.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                == other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        }
        var place = 0
        while place < count - 8 {
            guard isSame(at: place) else { return false }
            place += 8
        }
        // The last words overlap the ones before where the length is not a multiple of eight.
        return isSame(at: count - 8)
    }
}

extension JSONDocument {
    package struct Members: Sequence, IteratorProtocol {
        let document: JSONDocument
        var position: Int
        let end: Int

        package mutating func next() -> Member? {
            guard position < end else { return nil }
            defer { position = Int(document.nodes[position + 1].following) }
            return Member(key: JSONIndex(position: position), value: JSONIndex(position: position + 1))
        }
    }

    package struct Elements: Sequence, IteratorProtocol {
        let document: JSONDocument
        var position: Int
        let end: Int

        package mutating func next() -> JSONIndex? {
            guard position < end else { return nil }
            defer { position = Int(document.nodes[position].following) }
            return JSONIndex(position: position)
        }
    }
}
