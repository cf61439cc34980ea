/// A string after LIKE, in lower case, because queries ignore case.
struct SOQLPattern: Hashable, Sendable {
    private enum Part: Hashable {
        case anything
        case one
        case scalar(Unicode.Scalar)
    }

    private var parts: [Part] = []

    /// Adds what stands for itself.
    mutating func append(_ scalar: Unicode.Scalar) {
        parts += scalar.properties.lowercaseMapping.unicodeScalars.map { .scalar($0) }
    }

    /// Adds what a pattern has without an escape: `%` stands for any number of scalars, `_` for one.
    mutating func appendUnescaped(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "%": parts.append(.anything)
        case "_": parts.append(.one)
        default: append(scalar)
        }
    }

    /// - Parameter text: In lower case.
    func matches(_ text: String) -> Bool {
        let text = Array(text.unicodeScalars)
        var (place, part) = (0, 0)
        var retry: (place: Int, part: Int)?
        while place < text.count {
            if part < parts.count, parts[part] == .anything {
                retry = (place, part)
                part += 1
            } else if part < parts.count, parts[part] == .one || parts[part] == .scalar(text[place]) {
                place += 1
                part += 1
            } else if let last = retry {
                retry = (last.place + 1, last.part)
                (place, part) = (last.place + 1, last.part + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .anything }
    }
}
