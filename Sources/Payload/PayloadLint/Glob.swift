/// A pattern for paths, similar to those of `.gitignore`.
///
/// `*` matches any characters except `/`, `?` one character except `/`, `[a-z]` and `[!a-z]` one character of a set,
/// `{a,b}` one of several strings, and `**`, as a whole part of the path, any number of folders. A pattern without `/`
/// matches a file name in any folder, or a folder and everything in it. A pattern with `/` is relative to the folder of
/// its configuration.
package struct Glob: Hashable, Sendable {
    package let pattern: String
    private let alternatives: [[Part]]

    /// Why a pattern is not valid.
    package struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// How many patterns the braces of one pattern may expand to.
    package static let maximumAlternatives = 256

    package init(_ pattern: String) throws(PatternError) {
        self.pattern = pattern
        var alternatives: [[Part]] = []
        for text in try Glob.expanded(Array(pattern.unicodeScalars)) { alternatives.append(try Glob.parts(of: text)) }
        self.alternatives = alternatives
    }

    /// A path to match: its names, relative to the folder of the patterns.
    package struct Path: Hashable, Sendable {
        fileprivate var names: [[Unicode.Scalar]]

        /// - Parameter path: A path without `.` and `..`.
        package init(_ path: String) {
            names = path.utf8.split(separator: UInt8(ascii: "/")).map { Array(Substring($0).unicodeScalars) }
        }

        /// The path of a file in this folder.
        package func file(_ name: Substring) -> Path {
            var path = self
            path.names.append(Array(name.unicodeScalars))
            return path
        }
    }

    package func matches(_ path: Path) -> Bool { alternatives.contains { Glob.matches($0, path.names) } }
}

extension Glob {
    private enum Part: Hashable, Sendable {
        /// `**`: any number of names.
        case names
        case name([Element])
    }

    private enum Element: Hashable, Sendable {
        case scalar(Unicode.Scalar)
        case one
        case any
        case of([ClosedRange<Unicode.Scalar>], isNegated: Bool)

        func matches(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .scalar(let wanted): scalar == wanted
            case .one, .any: true
            case .of(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
            }
        }
    }

    /// A folder matches with everything in it, so names may remain after the last part.
    ///
    /// It is enough to go back to the last star, here and below. This keeps the time quadratic in the worst case.
    private static func matches(_ parts: [Part], _ names: [[Unicode.Scalar]]) -> Bool {
        var (part, position) = (0, 0)
        var star: (part: Int, position: Int)?
        while part < parts.count {
            if parts[part] == .names {
                // At the end it matches the content of a folder, so there must be another name.
                if part == parts.count - 1 { return position < names.count }
                star = (part, position)
                part += 1
            } else if position < names.count, case .name(let elements) = parts[part],
                matches(elements, names[position])
            {
                part += 1
                position += 1
            } else if let last = star, last.position < names.count {
                star = (last.part, last.position + 1)
                part = last.part + 1
                position = last.position + 1
            } else {
                return false
            }
        }
        return true
    }

    private static func matches(_ elements: [Element], _ name: [Unicode.Scalar]) -> Bool {
        var (element, position) = (0, 0)
        var star: (element: Int, position: Int)?
        while position < name.count {
            if element < elements.count, elements[element] == .any {
                star = (element, position)
                element += 1
            } else if element < elements.count, elements[element].matches(name[position]) {
                element += 1
                position += 1
            } else if let last = star {
                star = (last.element, last.position + 1)
                element = last.element + 1
                position = last.position + 1
            } else {
                return false
            }
        }
        return elements[element...].allSatisfy { $0 == .any }
    }
}

extension Glob {
    private static func parts(of pattern: [Unicode.Scalar]) throws(PatternError) -> [Part] {
        var names = pattern.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
        guard names.contains(where: { !$0.isEmpty }) else { throw PatternError(description: "it is empty") }
        guard pattern.first != "/" else {
            throw PatternError(
                description: "it begins with /; patterns are relative to the folder of their configuration")
        }
        guard pattern.first != "!" else {
            throw PatternError(description: "it begins with !; a path cannot be included again")
        }
        if names.last?.isEmpty == true { names.removeLast() }
        let isAnchored = names.count > 1
        var parts: [Part] = isAnchored ? [] : [.names]
        for name in names {
            switch String(String.UnicodeScalarView(name)) {
            case "": throw PatternError(description: "it has two / in a row")
            case ".", "..": throw PatternError(description: "it has the part . or ..; write it without them")
            case "**": if parts.last != .names { parts.append(.names) }
            default: parts.append(.name(try elements(of: name)))
            }
        }
        return parts
    }

    private static func elements(of name: [Unicode.Scalar]) throws(PatternError) -> [Element] {
        var elements: [Element] = []
        var rest = name[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": if elements.last != .any { elements.append(.any) }
            case "?": elements.append(.one)
            case "[": elements.append(try choice(&rest))
            case "\\":
                guard let escaped = rest.popFirst() else {
                    throw PatternError(description: "it ends with a backslash without a character after it")
                }
                elements.append(.scalar(escaped))
            default: elements.append(.scalar(scalar))
            }
        }
        return elements
    }

    /// Parses the characters after `[`, up to its `]`.
    private static func choice(_ rest: inout ArraySlice<Unicode.Scalar>) throws(PatternError) -> Element {
        let isNegated = rest.first == "!" || rest.first == "^"
        if isNegated { rest.removeFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while let first = rest.popFirst() {
            if first == "]", !ranges.isEmpty { return .of(ranges, isNegated: isNegated) }
            guard rest.first == "-", let last = rest.dropFirst().first, last != "]" else {
                ranges.append(first...first)
                continue
            }
            guard first <= last else {
                throw PatternError(description: "the range \(first)-\(last) in it is in reverse order")
            }
            ranges.append(first...last)
            rest.removeFirst(2)
        }
        throw PatternError(description: "a [ in it is not closed")
    }

    /// The patterns that a pattern with braces expands to.
    private static func expanded(_ pattern: [Unicode.Scalar]) throws(PatternError) -> [[Unicode.Scalar]] {
        var done: [[Unicode.Scalar]] = []
        var open = [pattern]
        while let text = open.popLast() {
            guard let braces = try braces(in: text) else {
                done.append(text)
                continue
            }
            let head = Array(text[..<braces.start])
            let tail = Array(text[(braces.end + 1)...])
            open += braces.choices.reversed().map { head + $0 + tail }
            guard open.count + done.count <= maximumAlternatives else {
                throw PatternError(description: "its braces expand to more than \(maximumAlternatives) patterns")
            }
        }
        return done
    }

    private static func braces(
        in text: [Unicode.Scalar]
    ) throws(PatternError) -> (start: Int, end: Int, choices: [[Unicode.Scalar]])? {
        var start: Int?
        var depth = 0
        var choices: [[Unicode.Scalar]] = [[]]
        var isEscaped = false
        for (index, scalar) in text.enumerated() {
            let isLiteral = isEscaped
            isEscaped = scalar == "\\" && !isLiteral
            switch (isLiteral ? "a" : scalar, depth) {
            case ("{", 0):
                start = index
                depth = 1
            case ("}", 0): throw PatternError(description: "a } in it has no matching {; write \\} for the character")
            case ("}", 1):
                guard let start else { return nil }
                return (start, index, choices)
            case (",", 1): choices.append([])
            case (let scalar, _) where depth > 0:
                if scalar == "{", !isLiteral { depth += 1 }
                if scalar == "}", !isLiteral { depth -= 1 }
                choices[choices.count - 1].append(text[index])
            default: break
            }
        }
        guard depth == 0 else { throw PatternError(description: "a { in it is not closed") }
        return nil
    }
}
